import { accepted, answerBody, isFields } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Adds to an update the name that its profile was last shown with, unless it asks for another. */
export function withName(ask: RequestSpec, exchanges: readonly Exchange[]): RequestSpec {
  if (ask.operation !== 'updateProfile' || !isFields(ask.body) || 'name' in ask.body) return ask;
  const shown = exchanges.findLast(
    (one) =>
      (one.operation === 'updateProfile' || one.operation === 'duplicateProfile') &&
      accepted(one) &&
      sameId(answerBody(one)?.id, ask.id),
  );
  const name = shown && answerBody(shown)?.name;
  return typeof name === 'string' ? { ...ask, body: { name, ...ask.body } } : ask;
}
