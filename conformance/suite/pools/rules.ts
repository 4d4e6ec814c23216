/** interface: DELETE agent-profile-pools. */

import { isAt } from '../../engine/outcome/mark.js';
import { notAccepted, outcomeOf } from '../../engine/outcome/outcome.js';
import {
  accepted,
  isClientError,
  isCopyRequest,
  isMeantToPass,
  refused,
  requestFields,
  status,
} from '../../engine/outcome/read.js';
import { removalsOf } from '../../engine/outcome/removals.js';
import { isAfterReplicaLag, precedes, saysTheSame } from '../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../engine/rule/findings.js';
import { probesOf } from '../../engine/rule/probes.js';
import { answerText, sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judges } from '../../engine/vocabulary.js';
import { goneAfter } from '../profiles/updates-and-copies.js';
import { goneWith, isDeletion, unknownGroup, usesOf } from './view.js';

/**
 * A pool that is answered as deleted, but still supplies profiles. Judges a start with it is accepted, while one with an
 * unknown group is refused, so groups are looked up.
 */
function stays(deleted: Exchange, evidence: Evidence): Finding | undefined {
  const gone = goneWith(deleted, evidence.exchanges);
  const unknown = unknownGroup(evidence);
  const used = usesOf(deleted, evidence.exchanges).find((one) => gone && isAfterReplicaLag(one, gone));
  return unknown && used
    ? violated([deleted, used, unknown], 'the pool gone, so that no start is accepted with it', answerText(used))
    : undefined;
}

/** Judges a profile or another group that was there before the deletion, and is not after it. */
function takesAlong(deleted: Exchange, exchanges: readonly Exchange[]): Finding | undefined {
  const [profile] = goneAfter(deleted, exchanges).filter(({ found }) => !isCopyRequest(found));
  if (profile)
    return violated(
      [deleted, profile.missed, profile.found],
      `the profile ${profile.profileId} left alone`,
      answerText(profile.missed),
    );
  const after = exchanges.find((one) => isAt(one, 'beside-pool/other-group') && isMeantToPass(one));
  const before = exchanges.find((one) => after && accepted(one) && wish(one) === wish(after) && precedes(one, deleted));
  return after && before && outcomeOf(after).kind === 'refused'
    ? violated([deleted, after, before], 'another group still supplying profiles', answerText(after))
    : undefined;
}

const wish = (exchange: Exchange) =>
  JSON.stringify([exchange.operation, exchange.resource, requestFields(exchange).profileGroupId]);

export const pools = {
  /**
   * Judges a deletion of the declared pool. Passes if it is accepted; fails if it is refused, if the pool still
   * supplies profiles, or if something else was deleted with it.
   */
  'pool-is-deleted': {
    exchange: (exchange) => (isDeletion(exchange) && accepted(exchange) ? satisfied(exchange) : undefined),
    run(evidence, { pool }) {
      const { exchanges } = evidence;
      const [first] = exchanges.filter(
        (one) => isDeletion(one) && isMeantToPass(one) && pool !== undefined && sameId(one.resource, pool),
      );
      if (!first) return undefined;
      if (accepted(first)) return stays(first, evidence) ?? takesAlong(first, exchanges);
      const removed = removalsOf(exchanges, 'pool', first.resource).some((one) => precedes(one, first));
      const gone = removed
        ? 'An earlier deletion, whose answer was lost, may have deleted the pool.'
        : 'The pool that the target file names does not exist.';
      const why = status(first) === 404 ? gone : outcomeOf(first).why;
      return why === undefined ? violated(first, 'a 2xx for a pool that exists') : inconclusive(first, why);
    },
  },

  /** Judges a second deletion of a pool. Passes if it is answered 404, or like that of a pool that never existed. */
  'deleted-pool-is-gone': {
    run(evidence) {
      const { exchanges } = evidence;
      const unknown = probesOf(evidence, 'unknown-pool-is-404').filter(refused);
      const deletions = exchanges.filter(isDeletion);
      return deletions.filter(accepted).flatMap((deleted) => {
        const later = deletions.filter((one) => sameId(one.resource, deleted.resource) && precedes(deleted, one));
        // 202: how long it goes on is not said.
        const goesOn = (one: Exchange) => status(deleted) === 202 && accepted(one);
        const next = later.find((one) => !goesOn(one)) ?? later[0];
        if (!next) return [];
        const asUnknown = unknown.some((one) => saysTheSame(one, next));
        if (status(next) === 404 || (isClientError(next) && asUnknown)) return satisfied([next, deleted]);
        return goesOn(next)
          ? inconclusive(next, 'The deletion was answered 202, and goes on.')
          : notAccepted(next, deleted, '404 for a pool that is deleted');
      });
    },
  },
} satisfies Judges;
