/** interface: States and transitions, queued. A queued execution begins by itself when capacity frees. */

import { answeredStatus, endReading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, longestTurnMs, precedes } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { inSeconds, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Finding, Judges, Started, Trace } from '../../../engine/vocabulary.js';
import { covers, during, isOfGroup, overlaps, timed } from '../../executions/intervals.js';
import { asksToQueue, groupOf } from '../../executions/view.js';
import { firstStartedReading, isQueued } from '../view.js';

export const begins = {
  /**
   * Judges an execution that was queued. Passes if a reading shows that it began; fails if it waited on though
   * others found room, or began while the group was full.
   */
  'queued-starts-by-itself': {
    trace(trace, facts) {
      const start = isQueued(trace) ? firstStartedReading(trace, facts) : undefined;
      return start && satisfied(start.exchange);
    },
    run(evidence, facts) {
      return [...stoodStill(evidence, facts), ...startedEarly(evidence, facts)];
    },
  },
} satisfies Judges;

/**
 * Finds executions that waited on though there was room. Fails if starts found room beside one repeatedly, for longer
 * than its turn may take, as a service may poll its queue; or beside several, each that long after an earlier execution
 * had ended. Executions of others may fill the organization: waiting for these tells nothing.
 */
function stoodStill({ traces }: Evidence, facts: Facts): Finding[] {
  const waiting = traces.filter(isQueued).map((trace) => {
    const rooms = roomsBeside(trace, traces, facts);
    const [first, last] = [rooms[0], rooms.at(-1)];
    const late = rooms
      .map((room) => [freedBefore(room, trace, traces), room] as const)
      .find(([freed, room]) => freed && room.at - answeredAt(freed) >= longestTurnMs);
    const isAgain = first !== undefined && last !== undefined && last.at - answeredAt(first) >= longestTurnMs;
    return { trace, again: isAgain ? [first, last] : undefined, late };
  });
  const lates = waiting.filter(({ late }) => late);
  return waiting.flatMap(({ trace, again, late }): Finding | [] => {
    const beside = (again ?? (lates.length > 1 ? late : undefined))?.flatMap((one) => one ?? []);
    const seen = readings(trace.readings);
    const last = seen.at(-1);
    if (beside && last)
      return violated(
        [last.exchange, ...beside],
        'a start when capacity frees, whoever asks',
        `queued for ${inSeconds((beside.at(-1)?.at ?? 0) - answeredAt(trace.start))}, while other starts got capacity`,
      );
    const isOver = trace.failedWait?.reason === 'patience' || trace.failedWait?.reason === 'stuck';
    return last && isOver && !firstStartedReading(trace, facts)
      ? inconclusive(
          last.exchange,
          `No capacity was seen to become free: it was still ${last.status} after ${inSeconds(trace.failedWait?.waitedMs ?? 0)}. Other users may hold the capacity that it waits for; if none uses its group, declare capacity.exclusive.`,
        )
      : [];
  });
}

/** The last end in its group that was read while it waited, before `room` was sent. */
function freedBefore(room: Exchange, { start }: Started, traces: readonly Trace[]): Exchange | undefined {
  const group = groupOf(start);
  const inGroup = traces.filter((other) => other.start && group !== undefined && sameId(groupOf(other.start), group));
  return inGroup
    .flatMap((other) => endReading(other)?.exchange ?? [])
    .filter((end) => precedes(start, end) && precedes(end, room))
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
}

/** Fails if a queued execution runs beside a full group for more than a third of the others' duration. */
function startedEarly({ traces }: Evidence, { capacity: group }: Facts): Finding[] {
  const holds = timed(traces)
    .filter(isOfGroup(group?.profileGroup))
    .flatMap(({ trace, mayWait, surely }) => (surely ? { trace, mayWait, ...surely } : []));
  return holds
    .filter(({ mayWait }) => mayWait)
    .flatMap((early) => {
      const beside = holds.filter(
        (other) =>
          other !== early &&
          other.from < early.from &&
          Math.min(early.to, other.to) - early.from > (other.to - other.from) / 3,
      );
      return group && beside.length >= group.size
        ? violated(
            [early.trace.start, ...beside.map(({ trace }) => trace.start)],
            `a start when one of the ${group.size} before it has ended`,
            'a start while all of them ran',
          )
        : [];
    });
}

/**
 * Starts that found room while an execution waited: sent after it was queued, and answered before it was again read as
 * queued. A start without the group shows room in the organization. A group that only the suite uses has room while fewer
 * executions of the run may hold a profile than it has.
 */
function roomsBeside(waiting: Started, traces: readonly Trace[], { capacity }: Facts): Exchange[] {
  const group = groupOf(waiting.start);
  // Others may hold every profile of another group. There, only a start for that group shows room.
  const ownSize = capacity?.exclusive && sameId(group, capacity.profileGroup) ? capacity.size : 0;
  const size = group === undefined ? Number.POSITIVE_INFINITY : ownSize;
  const last = readings(waiting.readings).findLast(({ status }) => status === 'queued')?.exchange;
  return traces.flatMap(({ start: other }) => {
    const isBeside = other && last && precedes(waiting.start, other) && precedes(other, last);
    if (!isBeside || asksToQueue(other) || answeredStatus(other) === 'queued') return [];
    const isInGroup = group !== undefined && sameId(groupOf(other), group);
    const taken = timed(traces)
      .filter(isOfGroup(group))
      .filter(({ trace: { start, readings: all }, waiting: wait, possibly }) => {
        // Older ones that begin later: room in the group is theirs.
        const hasBegun = readings(all).at(-1)?.exchange !== wait?.last;
        const isFirst = hasBegun && precedes(start, waiting.start) && covers(wait, during(other));
        return start !== other && (isFirst || overlaps(possibly, during(other)));
      });
    return isInGroup || taken.length < size ? other : [];
  });
}
