/** interface: States and transitions, queued. */
import { isTerminal } from '../../../generated/lifecycle.js';
import type { RuleId } from '../../../generated/rules.js';
import { saysTheSame } from '../../engine/outcome/alike.js';
import { isMeantToPass } from '../../engine/outcome/expected.js';
import { isOutsideContract } from '../../engine/outcome/outcome.js';
import { accepted, declined, isStart, sent, startedId, status } from '../../engine/outcome/read.js';
import { answeredStatus, due, ending, type Reading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, behindMs, manyTimes, precedes } from '../../engine/outcome/when.js';
import { broken, kept, unclear } from '../../engine/rule/findings.js';
import { besideTwin, probesOf } from '../../engine/rule/probes.js';
import { sameId, shows } from '../../engine/rule/values.js';
import { answerText, inSeconds, noAnswer } from '../../engine/rule/words.js';
import type { Evidence, Exchange, Facts, Finding, Judge, Trace } from '../../engine/vocabulary.js';
import { asksToQueue, isStop } from '../executions/view.js';
import { expectedStates } from '../expected.js';
import { asksOnlyAccepted } from '../starts/asked.js';
import { placesTaken } from './places-taken.js';
import { endedBefore, groupOf, holdsOf, roomsBeside, type Started, surelyUntil } from './view.js';

/** What a start for the filled group says of room, and how long it waits. */
const ofRoom = ['profileGroupId', 'agentProfilePoolId', 'onCapacityLimit', 'timeoutSeconds'];

const queuesOldName = ({ exchanges }: Evidence): boolean =>
  exchanges.some((one) => answeredStatus(one) === 'queued' && sent(one)?.agentProfilePoolId !== undefined);

/** The executions by which the suite filled the group. */
const holders = ({ traces }: Evidence, { capacity }: Facts): Trace[] =>
  traces.filter(
    ({ start }) =>
      start &&
      isMeantToPass(start) &&
      sameId(groupOf(start), capacity?.profileGroup) &&
      answeredStatus(start) === 'starting' &&
      !asksToQueue(start),
  );

/** A reading that proves that a queued execution has started. It may be read as starting while it is queued. */
function started({ start, readings: all }: Trace, facts: Facts): Reading | undefined {
  const seen = readings(all);
  const ends: readonly string[] = start ? expectedStates(start, facts) : [];
  const queued = seen.findIndex((reading) => reading.status === 'queued');
  return seen.find(
    (reading, index) =>
      reading.status === 'running' ||
      reading.status === 'completed' ||
      ends.includes(reading.status) ||
      isStop(reading.status) ||
      (reading.status === 'starting' && queued >= 0 && index > queued),
  );
}

const isQueued = (trace: Trace): trace is Started =>
  trace.start !== undefined && answeredStatus(trace.start) === 'queued';

export const capacity = {
  /**
   * Seen: a start for the filled group that asks to be queued. Kept where it is answered queued and can be read; broken
   * where it is refused, begins beside executions that hold the whole group, or is not found.
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
            !shows(sent(start) ?? {}, 'tempFiles') &&
            sameId(groupOf(start), group.profileGroup) &&
            // Whether the deprecated name still works is another rule's.
            (sent(start)?.agentProfilePoolId === undefined || queuesOldName(evidence)),
        )
        .flatMap((start) => {
          const before = holders(evidence, facts).filter((hold) => hold.start && precedes(hold.start, start));
          const held = before.filter(
            (hold) =>
              surelyUntil(hold) > answeredAt(start) &&
              readings(hold.readings).some((one) => !isTerminal(one.status) && precedes(start, one.exchange)),
          );
          if (before.length < group.size) return unclear(start, 'The group could not be filled.');
          if (answeredStatus(start) === 'queued') return found(start, evidence);
          const code = status(start) ?? 0;
          // A refusal at the limit has a status that is not shown; these have other reasons, or are somebody else's.
          const isOther = code === 401 || code === 403 || code >= 500 || (!accepted(start) && isOutsideContract(start));
          // Nor is it the queue that a start is refused for which asks for what no other got.
          if (isOther || !start.response || !asksOnlyAccepted(start, ofRoom, evidence.exchanges))
            return unclear(start, `A start that should be queued was answered ${answerText(start)}.`);
          if (!accepted(start) || held.length >= group.size) return broken(start, '202 with status queued');
          const overtaken = start.operation === 'executeSync' && overtaking(start, evidence.traces);
          if (overtaken) return overtaken;
          // It may have been queued, and have had its turn, before it was answered.
          return start.operation === 'executeSync' ? [] : unclear(start, 'The group may not have been full any more.');
        });
    },
  },

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

  /**
   * Seen: two executions that were queued for one group. Kept where the older one began first, broken where the newer one
   * did.
   */
  'queue-is-oldest-first': {
    run({ traces }, facts) {
      const queued = traces.filter(isQueued).toSorted((a, b) => a.start.at - b.start.at);
      const pairs = queued.flatMap((older, index) =>
        queued
          .slice(index + 1)
          .filter((newer) => sameId(groupOf(older.start), groupOf(newer.start)) && precedes(older.start, newer.start))
          .map((newer) => [older, newer] as const),
      );
      const lagMs = traces.some(goesBack) ? behindMs : 0;
      const found = pairs.flatMap(([older, newer]) => order(older, newer, facts, lagMs) ?? []);
      // Short runs may pass unseen between two readings: a chain of so many pairs orders the queue all the same.
      const seen = found.filter(({ kind }) => kind === 'kept').length;
      return seen > 0 && seen >= new Set(pairs.flat()).size - 1
        ? found.filter(({ kind }) => kind !== 'unclear')
        : found;
    },
  },

  /**
   * Seen: a start without queue while others wait for the group. Kept where it is refused and its twin is taken; broken
   * where it begins while an older one waits on.
   */
  'queue-is-not-overtaken': {
    run: (evidence) =>
      probesOf(evidence, 'queue-is-not-overtaken').flatMap((newcomer) => {
        if (!newcomer.response || newcomer.failure) return unclear(newcomer, noAnswer(newcomer));
        if (newcomer.response.status >= 400) return besideTwin(evidence, newcomer);
        const overtaken = answeredStatus(newcomer) === 'queued' ? undefined : overtaking(newcomer, evidence.traces);
        return overtaken ?? unclear(newcomer, 'It was accepted, and nothing was seen to wait longer.');
      }),
  },

  /**
   * Seen: a start for the group after executions of it have ended, and after others were refused. Kept where it is accepted,
   * broken where it is refused though nothing of the run holds the group any more, and the organization takes another start.
   */
  'capacity-is-freed': {
    run(evidence, { capacity: group }) {
      if (!group) return undefined;
      const inGroup = (start: Exchange) => sameId(groupOf(start), group.profileGroup);
      const refused = placesTaken(evidence, 'bodies', declined);
      return [
        ...evidence.exchanges
          .filter((start) => isStart(start) && isMeantToPass(start) && !asksToQueue(start) && inGroup(start))
          .flatMap((start) => usedAgain(start, evidence, inGroup, group.size) ?? []),
        ...(refused ? [refused] : []),
      ];
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

/** Broken where an execution that was queued before an accepted start for its group was read as queued after it. */
function overtaking(newcomer: Exchange, traces: readonly Trace[]): Finding | undefined {
  const own = traces.find(({ start }) => start === newcomer);
  for (const older of traces.filter(isQueued)) {
    const { start } = older;
    if (!precedes(start, newcomer) || !sameId(groupOf(start), groupOf(newcomer))) continue;
    // What a cache shows as waiting had its turn long ago.
    if (own && endedBefore(older, own)) continue;
    const waiting = readings(older.readings).find((one) => one.status === 'queued' && precedes(newcomer, one.exchange));
    if (waiting) return broken([newcomer, start, waiting.exchange], 'what waits to start first');
  }
  return undefined;
}

/**
 * Seen: a start for the group after executions of it have ended. Broken where it is refused, and fewer of the group are under
 * way than it has profiles, and the organization takes another start.
 */
function usedAgain(
  start: Exchange,
  { traces, exchanges }: Evidence,
  inGroup: (start: Exchange) => boolean,
  size: number,
): Finding | undefined {
  const before = traces.filter((trace) => trace.start && precedes(trace.start, start));
  const ended = before.filter((trace) => {
    const end = ending(trace)?.exchange;
    return end && precedes(end, start);
  });
  const freed = ended.filter((trace) => trace.start && inGroup(trace.start));
  const [telling] = freed.map((trace) => ending(trace)?.exchange).slice(-1);
  if (!telling) return undefined;
  if (accepted(start)) return kept([telling, start]);
  const code = status(start) ?? 0;
  const elsewhere = exchanges.some(
    (other) => isStart(other) && accepted(other) && !inGroup(other) && precedes(start, other),
  );
  const going = before.filter((trace) => !ended.includes(trace));
  // Whoever names a profile may have one of the group's.
  const holding = going.filter((trace) => trace.start && (inGroup(trace.start) || namesProfile(trace.start)));
  if (holding.length >= size) return unclear(start, 'It was refused while other executions were under way.');
  if (!elsewhere)
    return unclear(
      start,
      'It was refused, and no start without the group found room: others may hold all that there is.',
    );
  // Whether such a call takes a group at all is another rule's.
  const isUsual = exchanges.some((one) => one.operation === start.operation && accepted(one) && inGroup(one));
  if (!isUsual) return unclear(start, `A start that should be accepted was answered ${answerText(start)}.`);
  if (isFreedByOthers(start, traces, inGroup))
    return unclear(
      start,
      'It was refused, but a later start was accepted although no execution had ended: somebody else uses the group.',
    );
  // Whoever is told when to come back, in the words that starts without the group are told so, was too many and not too late.
  const isOfPace =
    start.response?.headers['retry-after'] !== undefined &&
    exchanges.some((other) => isStart(other) && !inGroup(other) && saysTheSame(other, start));
  if (isOfPace) return unclear(start, `Starts without the group got the same answer: ${answerText(start)}.`);
  return start.response && code >= 400 && code < 500 && ![401, 402, 403].includes(code)
    ? broken(
        [telling, start],
        'a profile of the group for a start after the end of those that used it',
        answerText(start),
      )
    : unclear(start, `A start that should be accepted was answered ${answerText(start)}.`);
}

const namesProfile = (start: Exchange): boolean =>
  sent(start)?.profileId !== undefined || sent(start)?.agentProfileId !== undefined;

/** Whether another start for the group was accepted after this one was refused, and nothing of the run's had ended between. */
const isFreedByOthers = (start: Exchange, traces: readonly Trace[], inGroup: (start: Exchange) => boolean): boolean => {
  const ours = traces.filter((trace): trace is Started => trace.start !== undefined && inGroup(trace.start));
  const next = ours.map((trace) => trace.start).find((one) => precedes(start, one) && !asksToQueue(one));
  const ends = ours.flatMap((trace) => ending(trace)?.exchange ?? []);
  return next !== undefined && !ends.some((end) => precedes(start, end) && precedes(end, next));
};

/** That a queued execution exists under the id that was answered. */
function found(start: Exchange, { traces }: Evidence): Finding {
  const all = traces.find(({ executionId }) => executionId === startedId(start))?.readings ?? [];
  const telling = due(start, all).find(
    (one) => status(one) === 200 || (status(one) === 404 && one.at - answeredAt(start) >= behindMs),
  );
  if (!telling) return unclear(start, 'The queued execution could not be read.');
  return status(telling) === 200
    ? kept([start, telling])
    : broken([start, telling], 'the queued execution under its id', '404');
}

/** Whether an execution was read as queued once more after it was not: what the service reads may be behind. */
function goesBack({ readings: all }: Trace): boolean {
  const seen = readings(all).map(({ status }) => status);
  return seen.slice(0, seen.lastIndexOf('queued') + 1).some((status) => status !== 'queued');
}

/** Which of two executions that wait for the same group started first, where readings may be so far behind. */
function order(older: Started, newer: Started, facts: Facts, lagMs: number): Finding | undefined {
  const { capacity: group } = facts;
  // With one profile only one of them runs at a time: what has not ended when another has started comes after it.
  const single = group?.size === 1 && sameId(group.profileGroup, groupOf(older.start));
  const waits = (reading: Reading) => reading.status === 'queued' || (single && !isTerminal(reading.status));
  // What runs may have ended since: what the service reads may be behind. What is starting has its whole run before it.
  const lag = ({ status }: Reading) => (status === 'queued' || status === 'starting' ? lagMs : behindMs);
  const before = (first: Trace, second: Trace): Exchange[] | undefined => {
    const start = started(first, facts);
    const waiting =
      start &&
      readings(second.readings).find(
        (one) =>
          waits(one) && precedes(start.exchange, one.exchange) && one.exchange.at - start.exchange.at >= lag(one),
      );
    return waiting && [start.exchange, waiting.exchange];
  };
  // What takes turns ends in the order in which it starts, and what is recorded of that no cache is behind with.
  const isInOrder = endedBefore(older, newer);
  const overtaken = isInOrder ? undefined : before(newer, older);
  if (overtaken) return broken(overtaken, 'the execution that was queued first to start first', 'it waits on');
  const inOrder = before(older, newer);
  if (inOrder) return kept(inOrder);
  const ends = [older, newer].flatMap((trace) => ending(trace)?.exchange ?? []);
  if (single && isInOrder) return kept(ends);
  return older.start.mark && unclear(older.start, 'Which of two queued executions started first was not seen.');
}
