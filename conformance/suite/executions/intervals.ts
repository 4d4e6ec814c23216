/** When each execution waited, ran and held a place: built once, from its start and its readings. */

import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import type { State } from '../../engine/contract.js';
import { memoize } from '../../engine/memoize.js';
import { type Fields, isWaitingStart } from '../../engine/outcome/read.js';
import { answeredStatus, endReading, type Reading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, stuckAfterMs } from '../../engine/outcome/when.js';
import { clockStepMs, instant, timeToleranceMs } from '../../engine/rule/times.js';
import { inSeconds, sameId } from '../../engine/rule/values.js';
import type { Exchange, Facts, Started, Trace } from '../../engine/vocabulary.js';
import { declaredMs, expectedStates } from '../target/roles.js';
import { asksToQueue, groupOf, profileOf, queued } from './view.js';

// How long an execution lasted, by the service's own clock.

/** The time between its creation and its end, in milliseconds. */
export function lifetime({ createdAt, terminalAt }: Fields): number | undefined {
  const [from, to] = [instant(createdAt), instant(terminalAt)];
  return from === undefined || to === undefined ? undefined : to - from;
}

/** The longest time that it can have lasted, given that clocks differ and times are rounded. */
export function longestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted + timeToleranceMs(execution.createdAt, execution.terminalAt);
}

/** The step of the clock that an execution's times were read from, in milliseconds. */
export const clockStep = ({ createdAt, terminalAt }: Fields): number => clockStepMs(createdAt, terminalAt);

/** The shortest time that it can have lasted, given the step of its clock. */
export function shortestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted - clockStep(execution);
}

// Tells whether an execution that stands still should long have moved on.

/** When an execution was first seen there, and how long after it began, in milliseconds, waits for room excluded. */
function arrival({ start, readings: all }: Started, isThere: (status: State) => boolean) {
  const seen = readings(all);
  const answered = answeredStatus(start);
  const there = answered && isThere(answered) ? start : seen.find(({ status }) => isThere(status))?.exchange;
  const waited = seen.findLast(({ status }) => status === 'queued')?.exchange;
  return there && { there, ms: answeredAt(there) - (waited ? answeredAt(waited) : start.at) };
}

/** For how long the last readings showed one status, in milliseconds. One may come long after the wait was given up. */
function stoodMs({ readings: all }: Started): number {
  const seen = readings(all);
  const last = seen.at(-1);
  const since = seen[seen.findLastIndex(({ status }) => status !== last?.status) + 1];
  return last && since ? answeredAt(last.exchange) - answeredAt(since.exchange) : 0;
}

/**
 * Says why a run that stands still should be there by now: the runs like it that got there, or the time that the target
 * file declares, took only a fraction of the time without a change. Undefined if only time speaks against it.
 */
export function overdue(
  trace: Started,
  isThere: (status: State) => boolean,
  traces: readonly Trace[],
  facts: Facts,
): { readonly beside: readonly Exchange[]; readonly text: string } | undefined {
  const { start, failedWait } = trace;
  const last = readings(trace.readings).at(-1);
  if (!failedWait || failedWait.reason === 'unreadable' || last?.status === 'queued') return undefined;
  const alike = traces.flatMap((other) =>
    other.start !== undefined &&
    other.start !== start &&
    sameId(other.start.resource, start.resource) &&
    expectedStates(other.start, facts).length > 0
      ? (arrival({ ...other, start: other.start }, isThere) ?? [])
      : [],
  );
  const declared = declaredMs(start.resource, facts);
  const longest = Math.max(...alike.map(({ ms }) => ms), declared ?? 0);
  const unchangedMs = Math.max(failedWait.unchangedMs, stoodMs(trace));
  if ((alike.length === 0 && declared === undefined) || unchangedMs < stuckAfterMs(longest)) return undefined;
  const [like] = alike;
  return {
    beside: like ? [like.there] : [],
    text: `${inSeconds(unchangedMs)} without a change, where ${like ? 'runs like it took' : 'it is declared to take'} ${inSeconds(longest)} at most`,
  };
}

/** A period by the clock of the suite, in milliseconds. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** An execution whose start was recorded, and its intervals. */
export interface Timed {
  readonly trace: Started;
  /** It asks to queue, or its answer does not show that it began. */
  readonly mayWait: boolean;
  /** When it certainly waited, and the last reading that shows it waiting. Absent if its start was not answered `queued`. */
  readonly waiting?: (Interval & { readonly last?: Exchange | undefined }) | undefined;
  /** When it certainly ran. A stopped execution may have given its place back. */
  readonly surely?: Interval | undefined;
  /** When it may have run: until the answer that first shows its end, or sooner by its record; or without end. */
  readonly possibly: Interval;
  /** When it ended. */
  readonly ending?: Interval | undefined;
}

/** The executions of a run whose start was recorded. */
export const timed = memoize((traces: readonly Trace[]): readonly Timed[] =>
  traces.filter((trace): trace is Started => trace.start !== undefined).map(intervalsOf),
);

/** Whether an execution asks for this group, and for no profile besides. Without a group, none does. */
export const isOfGroup =
  (group: unknown) =>
  ({ trace }: Timed): boolean =>
    group !== undefined && sameId(groupOf(trace.start), group) && profileOf(trace.start) === undefined;

/** Whether an interval contains the whole period. */
export const covers = (interval: Interval | undefined, { from, to }: Interval): boolean =>
  interval !== undefined && interval.from <= from && interval.to >= to;

/** Whether an interval contains a part of the period, or its only moment. */
export const overlaps = (interval: Interval | undefined, { from, to }: Interval): boolean =>
  interval !== undefined && interval.from < to && interval.to > from;

/** The period in which a request was under way. */
export const during = (exchange: Exchange): Interval => ({ from: exchange.at, to: answeredAt(exchange) });

function intervalsOf(trace: Started): Timed {
  const { start } = trace;
  const seen = readings(trace.readings);
  const last = seen.findLast(({ status }) => status === queued)?.exchange;
  const end = endReading(trace);
  const going = seen.findLast(({ status }) => !isTerminal(status))?.exchange ?? start;
  const recorded = answeredAt(start) + (longestLifetime(end?.execution ?? {}) ?? Number.POSITIVE_INFINITY);
  const to = end ? Math.min(answeredAt(end.exchange), recorded) : Number.POSITIVE_INFINITY;
  const answered = answeredStatus(start);
  const mayWait = asksToQueue(start) || (isWaitingStart(start) ? answered === queued : answered !== 'starting');
  return {
    trace,
    mayWait,
    ...(answered === queued && { waiting: { from: answeredAt(start), to: last?.at ?? answeredAt(start), last } }),
    surely: runningOf(trace, seen, mayWait),
    possibly: { from: last?.at ?? start.at, to },
    ...(end && { ending: { from: going.at, to } }),
  };
}

function runningOf(trace: Started, seen: readonly Reading[], mayWait: boolean): Interval | undefined {
  const { start } = trace;
  const over = seen.findIndex(({ status }) => isTerminal(status) || isStopped(status));
  const going = over < 0 ? seen : seen.slice(0, over);
  const first = mayWait ? going.find(hasLeftQueue)?.exchange : start;
  const last = going.at(-1)?.exchange;
  const read = first && last && { from: answeredAt(first), to: Math.min(last.at, recordedEnd(trace)) };
  const hasStopped = seen.some(({ status }) => isStopped(status));
  const recorded = mayWait || hasStopped ? undefined : recordOf(trace);
  return recorded && read
    ? { from: Math.min(read.from, recorded.from), to: Math.max(read.to, recorded.to) }
    : (recorded ?? read);
}

/** When an execution that did not wait certainly ran, by its recorded duration. */
function recordOf(trace: Started): Interval | undefined {
  const { start } = trace;
  const end = endReading(trace);
  const lasted = shortestLifetime(end?.execution ?? {});
  if (!end || lasted === undefined) return undefined;
  // It began after its request, and before an answer that shows its end by its whole duration.
  const latest = answeredAt(isTerminal(answeredStatus(start) ?? '') ? start : end.exchange) - lasted;
  const from = isWaitingStart(start) ? latest : Math.min(latest, answeredAt(start));
  const to = start.at + lasted;
  // A record that is longer than its execution can have taken is of another clock.
  return start.at <= latest && from < to ? { from, to } : undefined;
}

/** Whether a reading shows that the wait is over. What is queued may be read as starting, but not after `queued`. */
const hasLeftQueue = ({ status }: Reading, place: number, all: readonly Reading[]): boolean =>
  status === 'running' || (status === 'starting' && all.slice(0, place).some((earlier) => earlier.status === queued));

/** When it ended at the earliest, by its record. A cache may show it as running after that. */
export function recordedEnd(trace: Started): number {
  const lasted = lifetime(endReading(trace)?.execution ?? {});
  return lasted === undefined ? Number.POSITIVE_INFINITY : trace.start.at + lasted;
}
