/** interface: States and transitions, queued. What waits begins by itself when capacity frees. */

import type { RuleId } from '../../../../generated/rules.js';
import { ending, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, manyTimes, precedes } from '../../../engine/outcome/when.js';
import { broken, kept, unclear } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import { inSeconds } from '../../../engine/rule/words.js';
import type { Evidence, Exchange, Facts, Finding, Judge, Trace } from '../../../engine/vocabulary.js';
import { roomsBeside } from '../rooms.js';
import { started } from '../started.js';
import { groupOf, holdsOf, isQueued, type Started } from '../view.js';

export const begins = {
  /**
   * Seen: an execution that was queued. Kept where a reading shows that it began; broken where it waited on though others
   * found room, or began beside a full group.
   */
  'queued-starts-by-itself': {
    trace(trace, facts) {
      const start = isQueued(trace) ? started(trace, facts) : undefined;
      return start && kept(start.exchange);
    },
    run(evidence, facts) {
      return [...stoodStill(evidence, facts), ...startedEarly(evidence, facts)];
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

/** How long what waits may take to begin where there is room, in milliseconds: whoever empties a queue looks into it at times. */
const longestTurnMs = manyTimes(0);

/**
 * Executions that waited on though there was room. Broken where starts found room beside one again and again, for longer than
 * its turn may take to come; or beside several, each for as long after those before it had ended. Who waits for what others
 * of the organization may hold tells nothing.
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
      return broken(
        [last.exchange, ...beside],
        'a start when capacity frees, whoever asks',
        `queued for ${inSeconds((beside.at(-1)?.at ?? 0) - answeredAt(trace.start))}, while others found room`,
      );
    const isOver = trace.failedWait?.reason === 'patience' || trace.failedWait?.reason === 'stuck';
    return last && isOver && !started(trace, facts)
      ? unclear(
          last.exchange,
          `No capacity was seen to come free for it: it was still ${last.status} after ${inSeconds(trace.failedWait?.waitedMs ?? 0)}. Others may hold what it waits for.`,
        )
      : [];
  });
}

/** The last end in its group that was read while it waited, and before this was sent. */
function freedBefore(room: Exchange, { start }: Started, traces: readonly Trace[]): Exchange | undefined {
  const group = groupOf(start);
  const inGroup = traces.filter((other) => other.start && group !== undefined && sameId(groupOf(other.start), group));
  return inGroup
    .flatMap((other) => ending(other)?.exchange ?? [])
    .filter((end) => precedes(start, end) && precedes(end, room))
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
}

/** Broken where an execution that was queued runs beside as many as the group has profiles, for a third of what they last. */
function startedEarly(evidence: Evidence, { capacity: group }: Facts): Finding[] {
  const holds = holdsOf(evidence, group?.profileGroup);
  return holds
    .filter(({ isQueued }) => isQueued)
    .flatMap((early) => {
      const beside = holds.filter(
        (other) =>
          other !== early &&
          other.from < early.from &&
          Math.min(early.to, other.to) - early.from > (other.to - other.from) / 3,
      );
      return group && beside.length >= group.size
        ? broken(
            [early.trace.start, ...beside.map(({ trace }) => trace.start)],
            `a start when one of the ${group.size} before it has ended`,
            'a start beside them',
          )
        : [];
    });
}
