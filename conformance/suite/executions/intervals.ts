/** When each execution waited, ran and held a place: built once, from its start and its readings. */

import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import { memoize } from '../../engine/memoize.js';
import { isWaitingStart } from '../../engine/outcome/read.js';
import { answeredStatus, endReading, type Reading, readings } from '../../engine/outcome/readings.js';
import { answeredAt } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange, Started, Trace } from '../../engine/vocabulary.js';
import { lifetime, longestLifetime, shortestLifetime } from './lifetime.js';
import { asksToQueue, groupOf, profileOf, queued } from './view.js';

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
