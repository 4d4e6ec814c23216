/** Finds what flows say of values, and the contract says otherwise. */

import { excess } from '../diff/excess.js';
import { normalise } from '../diff/normalise.js';
import { fieldsCalled } from '../diff/schemas.js';
import type { Document } from '../generate/document.js';
import { kinds, type Lifecycle } from '../generate/lifecycle.js';
import { resolve } from '../generate/resolve.js';
import type { Schema } from '../generate/schema.js';
import { bodiesOf, type Flows } from './named.js';

/** Where an input of a flow may be what the field that it is sent as does not allow. */
export function inputsOutside(document: Document, flows: Flows): string[] {
  const requests = [...bodiesOf(document)].filter(({ use }) => use === 'request');
  return flows.workflows.flatMap(({ workflowId, inputs = {}, steps }) => {
    const { properties = {} } = resolve<{ readonly properties?: Readonly<Record<string, Schema>> }>(flows, inputs);
    return steps.flatMap(({ operationId, requestBody }) =>
      Object.entries(Object(requestBody?.payload)).flatMap(([field, value]) => {
        const [, name = ''] = /^\$inputs\.([\w-]+)$/.exec(String(value)) ?? [];
        const schema = properties[name];
        if (schema === undefined) return [];
        const input = normalise(document, schema, '#');
        const fields = requests
          .filter(({ operation }) => operation === operationId)
          .flatMap(({ normal }) => fieldsCalled(normal, field));
        const [reason] = fields.flatMap((one) => excess(input, one, 'narrower', 'all'));
        return reason
          ? `The input ${name} of the flow ${workflowId} may be what ${field} of ${operationId} does not allow: ${reason.says}`
          : [];
      }),
    );
  });
}

/** Where a flow looks for some states of a kind, and not for others of it: the ends, for instance. */
export function statesLeftOut(document: Document, flows: Flows): string[] {
  const lifecycles = Object.values(document.components.schemas).flatMap(
    (schema) => (schema as { readonly 'x-lifecycle'?: Lifecycle })['x-lifecycle'] ?? [],
  );
  return flows.workflows.flatMap(({ workflowId, steps }) =>
    steps.flatMap(({ stepId, successCriteria = [] }) =>
      successCriteria.flatMap(({ context = '', type, condition }) =>
        type !== 'regex' || !context.startsWith('$response.body#')
          ? []
          : lifecycles.flatMap((lifecycle) =>
              kinds.flatMap((kind) => {
                const left = lifecycle[kind].filter((state) => !new RegExp(condition).test(state));
                return left.length === 0 || left.length === lifecycle[kind].length
                  ? []
                  : `The step ${workflowId}.${stepId} looks for some ${kind} states, and not for ${left.join(', ')}.`;
              }),
            ),
      ),
    ),
  );
}
