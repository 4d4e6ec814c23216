/** interface: States and transitions, queued. The oldest begins first. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import { startedId } from '../../../engine/outcome/read.js';
import { answeredStatus, endReading, type Reading, readings } from '../../../engine/outcome/readings.js';
import { precedes, replicaLagMs } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { comparedWithControl, probesOf } from '../../../engine/rule/probes.js';
import { sameId } from '../../../engine/rule/values.js';
import { noAnswer } from '../../../engine/rule/words.js';
import type { Exchange, Facts, Finding, Judges, Started, Trace } from '../../../engine/vocabulary.js';
import { groupOf } from '../../executions/view.js';
import { endedBefore, firstStartedReading, isQueued, overtaking } from '../view.js';

export const turns = {
  /** Judges two executions that were queued for one group. Passes if the older one began first, else violated. */
  'queue-is-oldest-first': {
    run({ traces }, facts) {
      const queued = traces.filter(isQueued).toSorted((a, b) => a.start.at - b.start.at);
      const pairs = queued.flatMap((older, index) =>
        queued
          .slice(index + 1)
          .filter((newer) => sameId(groupOf(older.start), groupOf(newer.start)) && precedes(older.start, newer.start))
          .map((newer) => [older, newer] as const),
      );
      const lagMs = traces.some(goesBack) ? replicaLagMs : 0;
      const found = pairs.flatMap(([older, newer]) => order(older, newer, facts, lagMs) ?? []);
      // Short runs may pass unseen between two readings: pairs of which nothing is known count only where all are such.
      return found.some(({ kind }) => kind === 'satisfied')
        ? found.filter(({ kind }) => kind !== 'inconclusive')
        : found;
    },
  },

  /**
   * Judges a start that does not queue, while others wait for the group. Passes if it is refused and its control is
   * accepted; fails if it begins while an older one waits on.
   */
  'queue-is-not-overtaken': {
    run: (evidence) =>
      probesOf(evidence, 'queue-is-not-overtaken').flatMap((newcomer) => {
        if (!newcomer.response || newcomer.failure) return inconclusive(newcomer, noAnswer(newcomer));
        if (newcomer.response.status >= 400) return comparedWithControl(evidence, newcomer);
        const overtaken = answeredStatus(newcomer) === 'queued' ? undefined : overtaking(newcomer, evidence.traces);
        return (
          overtaken ?? inconclusive(newcomer, 'It was accepted, and no older execution was seen to be still queued.')
        );
      }),
  },
} satisfies Judges;

/** Whether an execution was read as queued again after it was not: readings may be behind. */
function goesBack({ readings: all }: Trace): boolean {
  const seen = readings(all).map(({ status }) => status);
  return seen.slice(0, seen.lastIndexOf('queued') + 1).some((status) => status !== 'queued');
}

/** The two executions and when each was queued: `execution A (queued at 12:00:14.153) still waited when execution B … began`. */
function orderText(older: Started, newer: Started): string {
  const [first, second] = [older, newer].map(
    ({ start }) => `${startedId(start)} (queued at ${new Date(start.at).toISOString().slice(11, 23)})`,
  );
  return `execution ${first} still waited when execution ${second} had begun`;
}

/** Which of two executions that waited for the same group started first. Readings may be `lagMs` behind. */
function order(older: Started, newer: Started, facts: Facts, lagMs: number): Finding | undefined {
  const { capacity: group } = facts;
  // With one profile only one of them runs at a time: one that has not ended when the other has started comes after it.
  const single = group?.size === 1 && sameId(group.profileGroup, groupOf(older.start));
  const waits = (reading: Reading) => reading.status === 'queued' || (single && !isTerminal(reading.status));
  // Read as running, it may have ended: readings may be behind. Read as starting, its whole run is to come.
  const lag = ({ status }: Reading) => (status === 'queued' || status === 'starting' ? lagMs : replicaLagMs);
  const before = (first: Trace, second: Trace): Exchange[] | undefined => {
    const start = firstStartedReading(first, facts);
    const waiting =
      start &&
      readings(second.readings).find(
        (one) =>
          waits(one) && precedes(start.exchange, one.exchange) && one.exchange.at - start.exchange.at >= lag(one),
      );
    return waiting && [start.exchange, waiting.exchange];
  };
  // Executions that take turns end in the order in which they start. Recorded times do not depend on caches.
  const isInOrder = endedBefore(older, newer);
  const overtaken = isInOrder ? undefined : before(newer, older);
  if (overtaken)
    return violated(overtaken, 'the execution that was queued first to start first', orderText(older, newer));
  const inOrder = before(older, newer);
  if (inOrder) return satisfied(inOrder);
  const ends = [older, newer].flatMap((trace) => endReading(trace)?.exchange ?? []);
  if (single && isInOrder) return satisfied(ends);
  return older.start.mark && inconclusive(older.start, 'Which of two queued executions started first was not seen.');
}
