/** interface: onCapacityLimit queue. What finds no room is queued, and the oldest begins first. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import { isOfRun } from '../../../engine/outcome/mark.js';
import { isOutsideContract } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  fieldNames,
  isMeantToPass,
  isStart,
  isWaitingStart,
  requestBody,
  startedId,
  status,
  usesOldName,
} from '../../../engine/outcome/read.js';
import { answeredStatus, endReading, mustFind, type Reading, readings } from '../../../engine/outcome/readings.js';
import { isAfterReplicaLag, precedes, replicaLagMs } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { comparedWithControl, probesOf } from '../../../engine/rule/probes.js';
import { answerText, has, noAnswer, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Finding, Judges, Started, Trace } from '../../../engine/vocabulary.js';
import { covers, during, isOfGroup, type Timed, timed } from '../../executions/intervals.js';
import { asksToQueue, groupOf, roomField } from '../../executions/view.js';
import { asksOnlyAccepted } from '../../starts/asked.js';
import { endedBefore, firstStartedReading, isQueued, overtaking } from '../view.js';

// interface: onCapacityLimit queue. A start that finds no room and asks to wait is queued.

/** What a start for the filled group says about room and its wait. */
const ofRoom = (start: Exchange): string[] =>
  (['profileGroupId', roomField, 'timeoutSeconds'] as const).flatMap((field) => fieldNames(start, field));

const queuesOldName = ({ exchanges }: Evidence): boolean =>
  exchanges.some((one) => answeredStatus(one) === 'queued' && usesOldName(one, 'profileGroupId'));

/** The executions with which the suite filled the group. */
const holders = ({ traces }: Evidence, { capacity }: Facts): Timed[] =>
  timed(traces)
    .filter(isOfGroup(capacity?.profileGroup))
    .filter(({ trace, mayWait }) => isMeantToPass(trace.start) && !mayWait);

export const queued = {
  /**
   * Judges a start for the filled group that asks to be queued. Passes if it is answered `queued` and can be read;
   * fails if it is refused, begins beside executions that hold the whole group, or is not found.
   */
  'over-capacity-is-queued': {
    run(evidence, facts) {
      const { capacity: group } = facts;
      if (!group) return undefined;
      return evidence.exchanges
        .filter(
          (start) =>
            isStart(start) &&
            isMeantToPass(start) &&
            asksToQueue(start) &&
            !has(requestBody(start) ?? {}, 'tempFiles') &&
            sameId(groupOf(start), group.profileGroup) &&
            // Another rule judges whether the deprecated name still works.
            (!usesOldName(start, 'profileGroupId') || queuesOldName(evidence)),
        )
        .flatMap((start) => {
          const before = holders(evidence, facts).filter(({ trace }) => precedes(trace.start, start));
          const held = before.filter(({ surely }) => covers(surely, during(start)));
          if (before.length < group.size) return inconclusive(start, 'The group could not be filled.');
          if (answeredStatus(start) === 'queued') return found(start, evidence);
          const code = status(start) ?? 0;
          // The status of a refusal at the limit is not shown, but these have other reasons, or other senders.
          const isOther = code === 401 || code === 403 || code >= 500 || (!accepted(start) && isOutsideContract(start));
          // The reason may also be something that no accepted start asked for.
          if (isOther || !start.response || !asksOnlyAccepted(start, ofRoom(start), evidence.exchanges))
            return inconclusive(start, `A start that should be queued was answered ${answerText(start)}.`);
          if (!accepted(start) || held.length >= group.size) return violated(start, '202 with status queued');
          const overtaken = isWaitingStart(start) && overtaking(start, evidence.traces);
          if (overtaken) return overtaken;
          // It may have been queued, and have begun, before it was answered.
          return isWaitingStart(start) ? [] : inconclusive(start, 'The group may not have been full any more.');
        });
    },
  },
} satisfies Judges;

/** Whether a queued execution can be read by the id that was answered. */
export function found(start: Exchange, { traces }: Evidence): Finding {
  const all = traces.find(({ executionId }) => executionId === startedId(start))?.readings ?? [];
  const telling = mustFind(start, all).find(
    (one) => status(one) === 200 || (status(one) === 404 && isAfterReplicaLag(one, start)),
  );
  if (!telling) return inconclusive(start, 'The queued execution could not be read.');
  return status(telling) === 200
    ? satisfied([start, telling])
    : violated([start, telling], 'the queued execution under its id', '404');
}

// interface: States and transitions, queued. The oldest begins first.

export const turns = {
  /** Judges two executions that were queued for one group. Passes if the older one began first, else fails. */
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
  return isOfRun(older.start)
    ? inconclusive(older.start, 'Which of two queued executions started first was not seen.')
    : undefined;
}
