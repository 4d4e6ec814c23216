/** interface: DELETE agent-profile-pools. */
import type { RuleId } from '../../../generated/rules.js';
import { goneAfter } from '../../evidence/gone.js';
import { accepted, acceptedExecutionId, refused, sent, status } from '../../evidence/read.js';
import { answeredAt, behindMs, precedes } from '../../evidence/runs.js';
import { sameId } from '../../evidence/values.js';
import type { Evidence, Exchange, Finding, Judge } from '../../vocabulary.js';
import { excuse, heard, meantToPass } from '../expected.js';
import { broken, kept, unclear } from '../findings.js';
import { probesOf } from '../probes.js';

const isDeletion = ({ operation, mark }: Exchange) => operation === 'deletePool' && !mark?.superseded;

/**
 * A pool that is answered as deleted and supplies profiles is not deleted. Seen: a start with it that was accepted,
 * beside one with a group that nobody has, which was refused: so groups are looked up.
 */
function stays(deleted: Exchange, evidence: Evidence): Finding | undefined {
  // 202: it will be deleted.
  if (status(deleted) === 202) return undefined;
  const unknown = probesOf(evidence, 'execute-profile-must-exist').find(
    (one) => sent(one)?.profileGroupId !== undefined && refused(one) && excuse(one) === undefined,
  );
  const used = evidence.exchanges.find(
    (one) =>
      acceptedExecutionId(one) !== undefined &&
      // Whether the deprecated name still works is another rule's.
      sameId(sent(one)?.profileGroupId, deleted.resource) &&
      one.at - answeredAt(deleted) >= behindMs,
  );
  return unknown && used
    ? broken([deleted, used, unknown], 'the pool gone, so that no start is accepted with it', heard(used))
    : undefined;
}

/** What a deletion must leave alone. Seen: a profile or another group that was there before it, and is not after it. */
function takesAlong(deleted: Exchange, exchanges: readonly Exchange[]): Finding | undefined {
  const [profile] = goneAfter(deleted, exchanges).filter(({ found }) => !isDuplication(found));
  if (profile)
    return broken(
      [deleted, profile.missed, profile.found],
      `the profile ${profile.profileId} left alone`,
      heard(profile.missed),
    );
  const after = exchanges.find(({ mark }) => mark?.journey === 'pool' && mark.step === 'other-group');
  const before = exchanges.find((one) => after && accepted(one) && wish(one) === wish(after) && precedes(one, deleted));
  return after && before && refused(after) && excuse(after) === undefined
    ? broken([deleted, after, before], 'another group still supplying profiles', heard(after))
    : undefined;
}

const isDuplication = ({ operation }: Exchange) => operation === 'duplicateProfile';
const wish = (exchange: Exchange) =>
  JSON.stringify([exchange.operation, exchange.resource, sent(exchange)?.profileGroupId]);

export const pools = {
  /**
   * Seen: a deletion of the declared pool. Kept where it is accepted; broken where it is refused, where the pool supplies
   * profiles afterwards, or where something else went with it.
   */
  'pool-is-deleted': {
    exchange: (exchange) => (isDeletion(exchange) && accepted(exchange) ? kept(exchange) : undefined),
    run(evidence, { pool }) {
      const { exchanges } = evidence;
      const [first] = exchanges.filter(
        (one) => isDeletion(one) && meantToPass(one) && pool !== undefined && sameId(one.resource, pool),
      );
      if (!first) return undefined;
      if (accepted(first)) return stays(first, evidence) ?? takesAlong(first, exchanges);
      const why = status(first) === 404 ? 'The pool that the target file names does not exist.' : excuse(first);
      return why === undefined ? broken(first, 'a 2xx for a pool that exists', heard(first)) : unclear(first, why);
    },
  },

  /** Seen: a second deletion of a pool. Kept where it is answered 404. */
  'deleted-pool-is-gone': {
    run({ exchanges }) {
      const deletions = exchanges.filter(isDeletion);
      return deletions.filter(accepted).flatMap((deleted) => {
        const next = deletions.find((one) => sameId(one.resource, deleted.resource) && precedes(deleted, one));
        if (!next) return [];
        if (status(next) === 404) return kept([next, deleted]);
        const why = excuse(next);
        return why === undefined
          ? broken([next, deleted], '404 for a pool that is deleted', heard(next))
          : unclear([next, deleted], why);
      });
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
