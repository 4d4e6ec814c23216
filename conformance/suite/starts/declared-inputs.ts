import { type Fields, isFields } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Facts } from '../../engine/vocabulary.js';
import { workflowRoles } from '../target/roles.js';

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
  const given = inputNames.filter((name) => name in body);
  const [name = 'inputs'] = given;
  const own: unknown = name in body ? body[name] : {};
  if (given.length > 1 || !isFields(own)) return ask;
  return { ...ask, body: { ...body, [name]: { ...declared, ...own } satisfies Fields } };
}

/** interface: dynamicData is the old name of inputs. The two exclude each other. */
const inputNames = ['inputs', 'dynamicData'] as const;
