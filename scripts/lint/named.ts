/** Finds fields in examples and flows that no schema names. */

import { isNothing, type Normal } from '../diff/normal.js';
import { normalise, type Use } from '../diff/normalise.js';
import { operationsIn } from '../diff/operations.js';
import { fieldsCalled } from '../diff/schemas.js';
import type { Document } from '../generate/document.js';
import { resolve } from '../generate/resolve.js';
import type { Schema } from '../generate/schema.js';

/** A field that an example or flow uses, but no schema names. */
export interface UnnamedField {
  /** Where it is used: `the example execute-request-head of the request of execute`. */
  readonly user: string;
  /** Its path: `executionOptions.retries`. */
  readonly field: string;
}

/** The fields in named examples of the contract that no schema names. */
export function unnamedInExamples(document: Document): UnnamedField[] {
  return [...bodiesOf(document)].flatMap(({ of, normal, examples }) =>
    Object.entries(examples).flatMap(([name, example]) => {
      const { $ref } = example as { $ref?: string };
      const { value } = resolve<{ value?: unknown }>(document, example);
      const user = `the example ${$ref?.split('/').at(-1) ?? name} of ${of}`;
      return unnamedFields(normal, value).map((field) => ({ user, field }));
    }),
  );
}

/** The fields that flows send or read and that no schema names. `flows` is an Arazzo document. */
export function unnamedInFlows(document: Document, flows: Flows): UnnamedField[] {
  const bodies = [...bodiesOf(document)];
  return flows.workflows.flatMap(({ workflowId, steps }) =>
    steps.flatMap(({ stepId, operationId, requestBody, ...read }) => {
      const user = `the step ${workflowId}.${stepId}`;
      const of = (use: Use) =>
        bodies.filter((body) => body.operation === operationId && body.use === use && body.isSuccess);
      const sent = of('request').flatMap(({ normal }) => unnamedFields(normal, requestBody?.payload));
      const pointers = [...JSON.stringify(read).matchAll(/\$response\.body#((?:\/[^\s"'}]+)+)/g)].map(
        (match) => match[1] ?? '',
      );
      const unknown = [...new Set(pointers)].filter((pointer) => {
        const value = pointer.split('/').slice(1).reduceRight<unknown>(within, '');
        return of('response').every(({ normal }) => unnamedFields(normal, value).length > 0);
      });
      return [...sent, ...unknown.map((pointer) => pointer.slice(1).replaceAll('/', '.'))].map((field) => ({
        user,
        field,
      }));
    }),
  );
}

/** The links and flows that lead to an operation which is not there. */
export function leadingNowhere(document: Document, flows: Flows): string[] {
  const operations = [...operationsIn(document).values()];
  const known = operations.map(({ id }) => id);
  const links = operations.flatMap(({ id, node }) =>
    Object.entries(node.responses ?? {}).flatMap(([status, response]) =>
      Object.entries(resolve<{ links?: Record<string, unknown> }>(document, response).links ?? {}).map(
        ([name, link]) => ({
          user: `the link ${name} of the answer ${status} of ${id}`,
          to: resolve<{ operationId?: string }>(document, link).operationId,
        }),
      ),
    ),
  );
  const steps = flows.workflows.flatMap(({ workflowId, steps }) =>
    steps.map(({ stepId, operationId }) => ({ user: `the step ${workflowId}.${stepId}`, to: operationId })),
  );
  return [...links, ...steps].flatMap(({ user, to }) =>
    to === undefined || known.includes(to) ? [] : `${user} leads to ${to}, which is no operation.`,
  );
}

export interface Flows {
  readonly workflows: readonly {
    readonly workflowId: string;
    readonly inputs?: unknown;
    readonly steps: readonly {
      readonly stepId: string;
      readonly operationId?: string;
      readonly requestBody?: { readonly payload?: unknown };
      readonly successCriteria?: readonly {
        readonly context?: string;
        readonly type?: string;
        readonly condition: string;
      }[];
    }[];
  }[];
}

const within = (value: unknown, step: string) => (/^\d+$/.test(step) ? [value] : { [step]: value });

interface Body {
  readonly operation: string;
  readonly use: Use;
  readonly isSuccess: boolean;
  /** `the request of execute`, `the answer 404 of getExecution`. */
  readonly of: string;
  readonly normal: Normal;
  readonly examples: Readonly<Record<string, unknown>>;
}

interface Content {
  readonly content?: Readonly<
    Record<string, { readonly schema?: Schema; readonly examples?: Readonly<Record<string, unknown>> }>
  >;
}

/** All bodies of the contract's operations. */
export function* bodiesOf(document: Document): Generator<Body> {
  for (const { id, node } of operationsIn(document).values()) {
    const { requestBody, responses = {} } = node as { requestBody?: Content; responses?: Record<string, Content> };
    const all: [Use, boolean, string, Content | undefined][] = [
      ['request', true, `the request of ${id}`, requestBody],
      ...Object.entries(responses).map(([status, response]): [Use, boolean, string, Content] => [
        'response',
        status.startsWith('2'),
        `the answer ${status} of ${id}`,
        response,
      ]),
    ];
    for (const [use, isSuccess, of, part] of all)
      for (const { schema = true, examples = {} } of Object.values(
        (part && resolve<Content>(document, part).content) ?? {},
      ))
        yield { operation: id, use, isSuccess, of, normal: normalise(document, schema, '#'), examples };
  }
}

/** The fields of a value, at any depth, that a schema does not name. A schema without fields allows any. */
export function unnamedFields(schema: Normal, value: unknown): string[] {
  if (Array.isArray(value)) {
    const items = schema.parts.get('items');
    return items ? [...new Set(value.flatMap((item) => unnamedFields(items, item)))] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const isFree = schema.types.has('object') && (schema.places.has('additionalProperties') || namesNone(schema));
  return Object.entries(value).flatMap(([name, inner]) => {
    const fields = fieldsCalled(schema, name);
    if (fields.length === 0) return isFree ? [] : [name];
    const found = fields.map((field) => unnamedFields(field, inner)).sort((one, other) => one.length - other.length);
    return (found[0] ?? []).map((field) => `${name}.${field}`);
  });
}

const namesNone = ({ properties, choices }: Normal): boolean =>
  [...properties.values()].every(isNothing) && choices.every(({ options }) => options.every(namesNone));
