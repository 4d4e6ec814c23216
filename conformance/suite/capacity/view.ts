/** Which executions hold the profiles of a group, and when. */
import { isTerminal } from '../../../generated/lifecycle.js';
import { answer, sent } from '../../engine/outcome/read.js';
import { answeredStatus, ending, type Reading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import { instant, sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Trace } from '../../engine/vocabulary.js';
import { lifetime, shortestLifetime } from '../executions/lifetime.js';
import { asksToQueue, isStop } from '../executions/view.js';

export type Started = Trace & { readonly start: Exchange };

/** A time, in milliseconds, in which an execution surely holds a profile: whether one that has stopped does, is not shown. */
export interface Hold {
  readonly trace: Started;
  readonly isQueued: boolean;
  readonly from: number;
  readonly to: number;
}

/** The group that a start asks for, by either name. */
export const groupOf = (start: Exchange): unknown => sent(start)?.profileGroupId ?? sent(start)?.agentProfilePoolId;

export function holdsOf({ traces }: Evidence, group: string | undefined): Hold[] {
  return traces.flatMap((trace): Hold | [] => {
    const { start } = trace;
    if (!start || !sameId(groupOf(start), group)) return [];
    const isQueued = asksToQueue(start) || answeredStatus(start) !== 'starting';
    const seen = readings(trace.readings);
    const over = seen.findIndex(({ status }) => isTerminal(status) || isStop(status));
    const going = over < 0 ? seen : seen.slice(0, over);
    const first = isQueued ? going.find(hasLeftQueue)?.exchange : start;
    const last = going.at(-1)?.exchange;
    if (!first || !last) return [];
    return { trace: { ...trace, start }, isQueued, from: answeredAt(first), to: Math.min(last.at, surelyUntil(trace)) };
  });
}

/** Whether a reading shows that the wait is over. What waits may be read as starting, but not after it was read as queued. */
const hasLeftQueue = ({ status }: Reading, place: number, all: readonly Reading[]): boolean =>
  status === 'running' || (status === 'starting' && all.slice(0, place).some((earlier) => earlier.status === 'queued'));

/** Until when an execution surely went on, whatever a cache shows later: it began when it was asked for, or after that. */
export function surelyUntil(trace: Trace): number {
  const lasted = lifetime(ending(trace)?.execution ?? {});
  return trace.start === undefined || lasted === undefined ? Number.POSITIVE_INFINITY : trace.start.at + lasted;
}

/**
 * Starts that found room while an execution waited for it, each of them sent after it was queued and answered before it was
 * read as queued once more. One without the group shows room in the organization; the group itself is the suite's to fill, and
 * has room as long as fewer of the run's own executions may hold a profile of it than there are.
 */
export function roomsBeside(waiting: Started, traces: readonly Trace[], { capacity }: Facts): Exchange[] {
  const group = groupOf(waiting.start);
  // Of another group others may have every profile: there only a start for that group tells.
  const size =
    group === undefined ? Number.POSITIVE_INFINITY : sameId(group, capacity?.profileGroup) ? capacity?.size : 0;
  const last = readings(waiting.readings).findLast(({ status }) => status === 'queued')?.exchange;
  return traces.flatMap(({ start: other }) => {
    const isBeside = other && last && precedes(waiting.start, other) && precedes(other, last);
    if (!isBeside || asksToQueue(other) || answeredStatus(other) === 'queued') return [];
    const isInGroup = group !== undefined && sameId(groupOf(other), group);
    const taken = mayHold(traces, group, other).length + beginsFirst(traces, waiting, other).length;
    return isInGroup || taken < (size ?? 0) ? other : [];
  });
}

/** Older executions that wait for the same group when another one is started, and have their turn later: room in it is theirs. */
const beginsFirst = (traces: readonly Trace[], waiting: Started, at: Exchange): Trace[] =>
  traces.filter(({ start, readings: all }) => {
    if (!start || !sameId(groupOf(start), groupOf(waiting.start)) || !precedes(start, waiting.start)) return false;
    const seen = readings(all);
    return (
      seen.some((one) => one.status === 'queued' && precedes(at, one.exchange)) && seen.at(-1)?.status !== 'queued'
    );
  });

/** Executions of the run that may hold a profile of the group when another one is started: all that began and had not ended. */
const mayHold = (traces: readonly Trace[], group: unknown, at: Exchange): Trace[] =>
  traces.filter((trace) => {
    const { start } = trace;
    if (!start || group === undefined || !sameId(groupOf(start), group) || !precedes(start, at)) return false;
    const end = ending(trace)?.exchange;
    const seen = readings(trace.readings).filter(({ exchange }) => precedes(exchange, at));
    const stillWaits = readings(trace.readings).some(
      ({ status, exchange }) => status === 'queued' && precedes(at, exchange),
    );
    return !(end && precedes(end, at)) && !stillWaits && (seen.at(-1)?.status ?? answeredStatus(start)) !== 'queued';
  });

/** Whether one execution had ended before another one, by the service's own clock. */
export function endedBefore(one: Trace, other: Trace): boolean {
  const [first, second] = [one, other].map((trace) => instant(ending(trace)?.execution.terminalAt));
  return first !== undefined && second !== undefined && first < second;
}

/**
 * Whether as many executions as the group has profiles went on from before the request until after it was met. A synchronous
 * start is met long before it is answered.
 */
export function groupWasFull(evidence: Evidence, request: Exchange, { capacity: group, pace }: Facts): boolean {
  if (!group) return false;
  const met =
    request.operation === 'executeSync'
      ? Math.min(answeredAt(request), request.at + pace.latencyGraceMs)
      : answeredAt(request);
  const filling = holdsOf(evidence, group.profileGroup).filter(
    ({ trace, from, to }) => trace.start !== request && from <= request.at && to >= met,
  );
  return filling.length >= group.size;
}

/** How far the clocks of instances are apart at most, as a rule: a group is full for no more than seconds. */
const skewMs = 500;

/**
 * Whether an execution was created while as many as the group has profiles went on that had been started before it was, as
 * their records tell: how long an answer took matters nothing.
 */
export function wasCreatedBeside({ traces }: Evidence, request: Exchange, { capacity: group }: Facts): boolean {
  const at = createdAt(traces.find(({ start }) => start === request));
  if (!group || at === undefined) return false;
  const beside = traces.filter((trace) => {
    const { start, readings: all } = trace;
    if (!start || start === request || !sameId(groupOf(start), group.profileGroup) || asksToQueue(start)) return false;
    const isEarlier =
      start.operation === 'executeSync'
        ? at > (createdAt(trace) ?? at)
        : answeredStatus(start) === 'starting' && precedes(start, request);
    const seen = readings(all);
    const end = seen.find(({ status }) => isTerminal(status))?.execution ?? {};
    const until = instant(end.terminalAt);
    const isWaiting = seen.some(({ status }) => status === 'queued' || isStop(status));
    if (!isEarlier || isWaiting || until === undefined) return false;
    // By our own clock: it began no sooner than it was asked for, and lasted no less than that.
    return until - at > skewMs || start.at + (shortestLifetime(end) ?? 0) > answeredAt(request);
  });
  return beside.length >= group.size;
}

const createdAt = (trace: Trace | undefined): number | undefined =>
  instant(trace?.readings.map((one) => answer(one)?.createdAt).find((at) => at !== undefined));

/** What begins later than this after room was made may have waited for something else. */
const lateMs = 250;

/** Whether what waited for a group of one profile began long after room was made, judged by what runs like it last. */
export function beganLate({ traces }: Evidence, group: string): boolean {
  const ends = traces.flatMap((trace) => {
    const execution = ending(trace)?.execution;
    const [at, lasted] = [instant(execution?.terminalAt), lifetime(execution ?? {})];
    return trace.start && at !== undefined && lasted !== undefined ? [{ start: trace.start, at, lasted }] : [];
  });
  const usual = (start: Exchange): number =>
    Math.min(...ends.filter((one) => one.start.resource === start.resource && !asksToQueue(one.start)).map(ofLife));
  const inTurn = ends.filter(({ start }) => sameId(groupOf(start), group)).sort((a, b) => a.at - b.at);
  return inTurn.some(({ start, at, lasted }, place) => {
    const before = inTurn[place - 1];
    if (!before || answeredStatus(start) !== 'queued' || at - lasted > before.at) return false;
    const late = at - usual(start) - before.at;
    return Number.isFinite(late) && late > Math.max(lateMs, usual(start) / 4);
  });
}

const ofLife = ({ lasted }: { readonly lasted: number }) => lasted;
