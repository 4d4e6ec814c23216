/** The profile that an execution held must be free for others after its end. */

import { accepted, isClientError, isMeantToPass, isStart, status } from '../../../engine/outcome/read.js';
import { endReading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, longestTurnMs, precedes, saysTheSame } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import { answerText } from '../../../engine/rule/words.js';
import type { Evidence, Exchange, Finding, Judges, Started, Trace } from '../../../engine/vocabulary.js';
import { asksToQueue, groupOf, hasBegun, profileOf } from '../../executions/view.js';
import { mayHaveEnded } from '../../executions/when-ended.js';
import { placesTaken, saysFull } from '../places-taken.js';

export const freed = {
  /**
   * Seen: a start for the group after executions of it have ended, or after others were refused. Satisfied if it is
   * accepted, or begins after waiting for one of them. Violated if it is refused though nothing of the run holds the
   * group any more, and the organization accepts another start.
   */
  'capacity-is-freed': {
    run(evidence, { capacity: group }) {
      if (!group) return undefined;
      const inGroup = (start: Exchange) => sameId(groupOf(start), group.profileGroup);
      const refused = placesTaken(evidence, 'bodies', isClientError);
      return [
        ...evidence.exchanges
          .filter((start) => isStart(start) && isMeantToPass(start) && !asksToQueue(start) && inGroup(start))
          .flatMap((start) => usedAgain(start, evidence, inGroup, group.size) ?? []),
        ...evidence.traces
          .filter(({ start }) => start && inGroup(start) && asksToQueue(start))
          .flatMap((trace) => begunInPlace(trace, evidence, inGroup) ?? []),
        ...(refused ? [refused] : []),
      ];
    },
  },
} satisfies Judges;

/** Seen: an execution that was queued while another one of the group ran, and began when that had ended. */
function begunInPlace(
  { readings: all }: Trace,
  { traces }: Evidence,
  inGroup: (start: Exchange) => boolean,
): Finding | undefined {
  const seen = readings(all);
  const waited = seen.findLast(({ status }) => status === 'queued');
  const begun = seen.find(({ status }) => hasBegun(status));
  if (!waited || !begun) return undefined;
  const ends = traces.flatMap((trace) =>
    trace.start && inGroup(trace.start) ? (endReading(trace)?.exchange ?? []) : [],
  );
  const end = ends.find((one) => precedes(waited.exchange, one) && precedes(one, begun.exchange));
  return end && satisfied([waited.exchange, end, begun.exchange]);
}

/**
 * Seen: a start for the group after executions of it have ended. Violated if it is refused, though fewer executions of
 * the group are running than it has profiles, and the organization accepts the next start.
 */
function usedAgain(
  start: Exchange,
  { traces, exchanges }: Evidence,
  inGroup: (start: Exchange) => boolean,
  size: number,
): Finding | undefined {
  const before = traces.filter((trace) => trace.start && precedes(trace.start, start));
  const ended = before.filter((trace) => {
    const end = endReading(trace)?.exchange;
    return end && precedes(end, start);
  });
  const freed = ended.filter((trace) => trace.start && inGroup(trace.start));
  const [telling] = freed.map((trace) => endReading(trace)?.exchange).slice(-1);
  if (!telling) return undefined;
  if (accepted(start)) return satisfied([telling, start]);
  const code = status(start) ?? 0;
  const elsewhere = exchanges.find(
    (other) => isStart(other) && isMeantToPass(other) && !inGroup(other) && precedes(start, other),
  );
  const going = before.filter((trace) => !ended.includes(trace));
  // A start that names a profile may hold one of the group.
  const holding = going.filter((trace) => trace.start && (inGroup(trace.start) || namesProfile(trace.start)));
  if (holding.length >= size) return inconclusive(start, 'It was refused while other executions were under way.');
  const isRoomNew = elsewhere && traces.some((other) => mayHaveEnded(other, start.at, answeredAt(elsewhere)));
  if (!elsewhere || !accepted(elsewhere) || isRoomNew)
    return inconclusive(
      start,
      'It was refused, and no start without the group was accepted right after it: others may hold all capacity.',
    );
  // Other rules judge whether such a call accepts a group at all.
  const isUsual = exchanges.some((one) => one.operation === start.operation && accepted(one) && inGroup(one));
  if (!isUsual) return inconclusive(start, `A start that should be accepted was answered ${answerText(start)}.`);
  if (isFreedByOthers(start, traces, inGroup))
    return inconclusive(
      start,
      'It was refused, but a later start was accepted although no execution had ended: the group has other users.',
    );
  // A rate limit, not a lack of profiles: it says when to retry, in the words that starts without the group got too.
  const isOfPace =
    start.response?.headers['retry-after'] !== undefined &&
    exchanges.some((other) => isStart(other) && !inGroup(other) && saysTheSame(other, start));
  if (isOfPace) return inconclusive(start, `Starts without the group got the same answer: ${answerText(start)}.`);
  if (saysFull(exchanges, start) && start.at - answeredAt(telling) < longestTurnMs)
    return inconclusive(start, 'It was refused soon after the end: how long a place takes to come free is not shown.');
  return start.response && code >= 400 && code < 500 && ![401, 402, 403].includes(code)
    ? violated(
        [telling, start],
        'a profile of the group for a start after the end of those that used it',
        answerText(start),
      )
    : inconclusive(start, `A start that should be accepted was answered ${answerText(start)}.`);
}

const namesProfile = (start: Exchange): boolean => profileOf(start) !== undefined;

/** Whether a later start for the group was accepted, though nothing of the run's had ended since. */
const isFreedByOthers = (start: Exchange, traces: readonly Trace[], inGroup: (start: Exchange) => boolean): boolean => {
  const ours = traces.filter((trace): trace is Started => trace.start !== undefined && inGroup(trace.start));
  const next = ours.map((trace) => trace.start).find((one) => precedes(start, one) && !asksToQueue(one));
  const ends = ours.flatMap((trace) => endReading(trace)?.exchange ?? []);
  return next !== undefined && !ends.some((end) => precedes(start, end) && precedes(end, next));
};
