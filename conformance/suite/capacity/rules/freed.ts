/** The profile that an execution held must be free for others after its end. */

import { isExcluded, isProbe, isProbeOf } from '../../../engine/outcome/mark.js';
import { accepted, isClientError, isMeantToPass, isStart, refused, status } from '../../../engine/outcome/read.js';
import { endReading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, longestTurnMs, precedes, saysTheSame } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { answerText, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Judges, Started, Trace } from '../../../engine/vocabulary.js';
import { covers, during, overlaps, timed } from '../../executions/intervals.js';
import { asksToQueue, groupOf, hasBegun, profileOf } from '../../executions/view.js';
import { isUnbound } from '../../starts/asked.js';
import { type Group, placesTaken, saysFull } from '../view.js';

export const freed = {
  /**
   * Judges a start for the group after executions of it have ended, or after others were refused. Passes if it is
   * accepted, or begins after waiting for one of them. Fails if it is refused though nothing of the run holds the
   * group any more, and the organization accepts another start.
   */
  'capacity-is-freed': {
    run(evidence, { capacity: group }) {
      if (!group) return undefined;
      const inGroup = (start: Exchange) => sameId(groupOf(start), group.profileGroup);
      const taken = placesTaken(evidence, 'bodies', isClientError);
      return [
        ...evidence.exchanges
          .filter((start) => isStart(start) && isMeantToPass(start) && !asksToQueue(start) && inGroup(start))
          .flatMap((start) => usedAgain(start, evidence, inGroup, group) ?? []),
        ...evidence.traces
          .filter(({ start }) => start && inGroup(start) && asksToQueue(start))
          .flatMap((trace) => begunInPlace(trace, evidence, inGroup) ?? []),
        ...(taken ? [taken] : []),
        ...fewerThanBefore(evidence, inGroup, group),
      ];
    },
  },
} satisfies Judges;

/** Judges an execution that was queued while another one of the group ran, and began when that had ended. */
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
 * Judges a start for the group after executions of it have ended. Fails if it is refused, though fewer executions of
 * the group are running than it has profiles, and the organization accepts the next start.
 */
function usedAgain(
  start: Exchange,
  { traces, exchanges }: Evidence,
  inGroup: (start: Exchange) => boolean,
  { size, exclusive = false }: Group,
): Finding | undefined {
  const all = timed(traces);
  const before = all.filter(({ trace }) => precedes(trace.start, start));
  const ended = before.filter(({ possibly }) => possibly.to <= start.at);
  const freed = ended.filter(({ trace }) => inGroup(trace.start));
  const [telling] = freed.map(({ trace }) => endReading(trace)?.exchange).slice(-1);
  if (!telling) return undefined;
  if (accepted(start)) return satisfied([telling, start]);
  const code = status(start) ?? 0;
  const elsewhere = exchanges.find(
    (other) => isStart(other) && isMeantToPass(other) && !inGroup(other) && precedes(start, other),
  );
  const going = before.filter((one) => !ended.includes(one));
  // A start that names a profile may hold one of the group.
  const holding = going.filter(({ trace }) => inGroup(trace.start) || profileOf(trace.start) !== undefined);
  if (holding.length >= size) return inconclusive(start, 'It was refused while other executions were under way.');
  const between = { from: start.at, to: elsewhere ? answeredAt(elsewhere) : start.at };
  const isRoomNew = all.some(({ ending }) => overlaps(ending, between));
  if (!elsewhere || !accepted(elsewhere) || isRoomNew)
    return inconclusive(
      start,
      'It was refused, and no start without the group was accepted right after it: others may hold all capacity.',
    );
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
  const wasFull = exchanges.some((one) => isProbeOf(one, 'over-capacity-is-rejected') && refused(one));
  const maySayFull = !wasFull || saysFull(exchanges, start);
  if (maySayFull && !exclusive)
    return inconclusive(
      start,
      'It was refused after the end of those that used the group: a place was not given back, or somebody else holds it. If nobody else uses the group, declare capacity.exclusive.',
    );
  if (maySayFull && start.at - answeredAt(telling) < longestTurnMs)
    return inconclusive(start, 'It was refused soon after the end: how long a place takes to come free is not shown.');
  return start.response && code >= 400 && code < 500 && ![401, 402, 403].includes(code)
    ? violated(
        [telling, start],
        'a profile of the group for a start after the end of those that used it',
        answerText(start),
      )
    : inconclusive(start, `A start that should be accepted was answered ${answerText(start)}.`);
}

/**
 * Judges a start that was refused for want of room after executions of the group had ended, and was sent again. If none
 * was accepted later beside as many others, a place is lost, or somebody else holds one: nothing tells which.
 */
function fewerThanBefore(
  { exchanges, traces }: Evidence,
  inGroup: (start: Exchange) => boolean,
  { size }: Group,
): Finding[] {
  const all = timed(traces);
  const ours = all.filter(({ trace }) => inGroup(trace.start));
  const isMeant = (one: Exchange) => isStart(one) && !isProbe(one) && !asksToQueue(one) && inGroup(one);
  const refusedOnce = exchanges.filter((one) => isExcluded(one) && isMeant(one) && saysFull(exchanges, one));
  // Another execution of the run that uses a profile may use one of the group.
  const bound = all.filter(({ trace }) => !inGroup(trace.start) && !isUnbound(trace.start));
  const at = (start: Exchange) => ({ from: start.at, to: start.at });
  return refusedOnce
    .filter((start) => ours.some(({ possibly }) => possibly.to <= start.at))
    .filter((start) => !bound.some(({ possibly }) => overlaps(possibly, at(start))))
    .filter((start) => {
      const beside = ours.filter(({ possibly }) => overlaps(possibly, at(start))).length;
      const isAsMany = (later: Exchange) =>
        precedes(start, later) && ours.filter(({ surely }) => covers(surely, during(later))).length >= beside;
      return beside < size && !exchanges.some((later) => isMeant(later) && accepted(later) && isAsMany(later));
    })
    .slice(0, 1)
    .map((start) =>
      inconclusive(
        start,
        'It was refused, and none was accepted later beside as many executions of the group: a place was not given back, or somebody else holds it.',
      ),
    );
}

/** Whether a later start for the group was accepted, though nothing of the run's had ended since. */
const isFreedByOthers = (start: Exchange, traces: readonly Trace[], inGroup: (start: Exchange) => boolean): boolean => {
  const ours = traces.filter((trace): trace is Started => trace.start !== undefined && inGroup(trace.start));
  const next = ours.map((trace) => trace.start).find((one) => precedes(start, one) && !asksToQueue(one));
  const ends = ours.flatMap((trace) => endReading(trace)?.exchange ?? []);
  return next !== undefined && !ends.some((end) => precedes(start, end) && precedes(end, next));
};
