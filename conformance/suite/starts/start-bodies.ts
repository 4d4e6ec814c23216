/** Bodies of starts. Their free fields carry a marker, which tells starts apart, and test values. */

import { fieldNames } from '../../engine/outcome/asked.js';
import { type Fields, isFields } from '../../engine/outcome/read.js';
import { equal, sameId } from '../../engine/rule/values.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Facts } from '../../engine/vocabulary.js';
import { workflowRoles } from '../target/roles.js';

/** The body with nothing but the marker in its free fields; undefined if it is like that already. */
export function withoutMaterial(body: unknown): Fields | undefined {
  if (!isFields(body)) return undefined;
  const plain = withMarked(body, ({ conformanceMarker }) => ({ conformanceMarker }));
  return equal(plain, body) ? undefined : plain;
}

/** The same body with another marker, to start another execution. */
export const withAnotherMarker = (body: unknown, marker: string): unknown =>
  isFields(body) ? withMarked(body, (value) => ({ ...value, conformanceMarker: marker })) : body;

const withMarked = (body: Fields, change: (value: Fields) => Fields): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      isFields(value) && 'conformanceMarker' in value ? change(value) : value,
    ]),
  );

/**
 * Adds to a start the inputs that the target file declares for every run of its workflow. Values of the suite win, and
 * a body whose inputs are wrong on purpose is left alone.
 */
export function withDeclaredInputs(ask: RequestSpec, { workflows, inputs }: Facts): RequestSpec {
  if (ask.operation !== 'execute' && ask.operation !== 'executeSync') return ask;
  const role = workflowRoles.find((one) => inputs?.[one] && sameId(workflows[one], ask.id));
  const declared = role && inputs?.[role];
  const body = ask.body ?? {};
  if (!declared || ask.raw || !isFields(body)) return ask;
  const given = fieldNames(ask, 'inputs').filter((name) => name in body);
  const [name = 'inputs'] = given;
  const own: unknown = name in body ? body[name] : {};
  if (given.length > 1 || !isFields(own)) return ask;
  return { ...ask, body: { ...body, [name]: { ...declared, ...own } satisfies Fields } };
}
