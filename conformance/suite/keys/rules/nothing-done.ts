/** interface: Authentication. A request that is answered 401 or 403 because of its key must have no effect. */

import { isAt, isExcluded, isProbe } from '../../../engine/outcome/mark.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  isClientError,
  isCopyRequest,
  isMeantToPass,
  refusedForKey,
  requestBody,
  status,
} from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { combined, inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { jsonText, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Finding, Judges } from '../../../engine/vocabulary.js';
import { onlyRefused, placesTaken } from '../../capacity/view.js';
import { namedBack } from '../../copies/view.js';
import { deletesPool } from '../../operations.js';
import { isDeletion, unknownGroup, usesOf } from '../../pools/view.js';
import { noEffectOfRefused } from '../../profiles/update.js';

/** Finds copies that could get an old name back, but cannot after duplications that were refused for their keys. */
function copiesMade({ exchanges }: Evidence): Finding | undefined {
  const of = (step: string) => exchanges.filter((one) => !isExcluded(one) && isAt(one, step));
  const [before, after] = [of(namedBack.before), of(namedBack.after)];
  const isBack = (one: Exchange) => accepted(one) && answerBody(one)?.name === requestBody(one)?.name;
  const pairs = after.flatMap((one) => {
    const control = before.find((other) => sameId(other.resource, one.resource) && isBack(other));
    return control && onlyRefused(control, one, exchanges, isCopyRequest, refusedForKey) ? { one, control } : [];
  });
  const taken = pairs.filter(
    ({ one }) => !isBack(one) && (accepted(one) || outcomeOf(one).kind === 'refused' || status(one) === 409),
  );
  const [first] = taken;
  // Somebody else may use one of these names just then, but hardly two.
  if (first && taken.length > 1)
    return violated(
      [first.one, first.control],
      `the name ${jsonText(requestBody(first.one)?.name)} free, as it was before duplications that were refused for their keys`,
    );
  const [back] = pairs.filter(({ one }) => isBack(one));
  return back && satisfied([back.one, back.control]);
}

export const keyRefusals = {
  /**
   * Judges a request that was answered 401 or 403 because of its key. Passes if it had no effect; fails if a
   * profile shows its effect, a group lacks places, a copy has taken a name, or a pool is gone that was made for the run.
   */
  'key-refusal-does-nothing': combined(
    noEffectOfRefused(refusedForKey),
    { run: (evidence) => placesTaken(evidence, 'keys', refusedForKey) },
    { run: copiesMade },
    { run: (evidence, facts) => evidence.exchanges.flatMap((one) => isGoneBefore(one, evidence, facts) ?? []) },
  ),
} satisfies Judges;

/**
 * Judges a deletion of the declared pool that finds none, though the pool supplied a profile before, and each deletion
 * since was refused. Fails if the pool was made for this run: one of these deleted it. Else another client may have.
 */
function isGoneBefore(deletion: Exchange, evidence: Evidence, { pool, isPoolMade }: Facts): Finding | undefined {
  const isMeant = isDeletion(deletion) && isMeantToPass(deletion) && sameId(deletion.resource, pool);
  if (pool === undefined || !isMeant || status(deletion) !== 404) return undefined;
  const unknown = unknownGroup(evidence);
  const used = usesOf(deletion, evidence.exchanges).find((one) => precedes(one, deletion));
  const before = evidence.exchanges.filter(
    (one) => deletesPool(one) && sameId(one.resource, deletion.resource) && precedes(one, deletion),
  );
  const refusals = before.filter((one) => isProbe(one) && refusedForKey(one));
  // A deletion without an answer, or with a server error, may have taken effect.
  const isKnown = before.every(isClientError);
  if (!unknown || !used || refusals.length === 0 || !isKnown) return undefined;
  const seen = [deletion, used, ...refusals.slice(0, 1)];
  return isPoolMade
    ? violated(seen, 'a 2xx for a pool that is there still, since each deletion before was refused')
    : inconclusive(
        seen,
        'The pool was gone before the run deleted it: a deletion that was refused for its key may have deleted it, or another client. Set hooks.makePool, so that each run has a pool of its own.',
      );
}
