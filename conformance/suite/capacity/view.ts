/** Which executions held the profiles of a group, and when. */

import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import { answeredStatus, endReading, type Reading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { instant, sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Finding, Started, Trace } from '../../engine/vocabulary.js';
import { lifetime } from '../executions/lifetime.js';
import { asksToQueue, groupOf } from '../executions/view.js';

/** A period in which an execution certainly held a profile, in milliseconds. Whether stopped ones do is not shown. */
export interface Hold {
  readonly trace: Started;
  readonly isQueued: boolean;
  readonly from: number;
  readonly to: number;
}

export function holdsOf({ traces }: Evidence, group: string | undefined): Hold[] {
  return traces.flatMap((trace): Hold | [] => {
    const { start } = trace;
    if (!start || !sameId(groupOf(start), group)) return [];
    const isQueued = asksToQueue(start) || answeredStatus(start) !== 'starting';
    const seen = readings(trace.readings);
    const over = seen.findIndex(({ status }) => isTerminal(status) || isStopped(status));
    const going = over < 0 ? seen : seen.slice(0, over);
    const first = isQueued ? going.find(hasLeftQueue)?.exchange : start;
    const last = going.at(-1)?.exchange;
    if (!first || !last) return [];
    return {
      trace: { ...trace, start },
      isQueued,
      from: answeredAt(first),
      to: Math.min(last.at, certainlyRunningUntil(trace)),
    };
  });
}

/** Whether a reading shows that the wait is over. What is queued may be read as starting, but not after `queued`. */
const hasLeftQueue = ({ status }: Reading, place: number, all: readonly Reading[]): boolean =>
  status === 'running' || (status === 'starting' && all.slice(0, place).some((earlier) => earlier.status === 'queued'));

/** Until when an execution certainly went on, even if a cache shows it later: it began when requested, or later. */
export function certainlyRunningUntil(trace: Trace): number {
  const lasted = lifetime(endReading(trace)?.execution ?? {});
  return trace.start === undefined || lasted === undefined ? Number.POSITIVE_INFINITY : trace.start.at + lasted;
}

/** Whether one execution ended before another, by the service's own clock. */
export function endedBefore(one: Trace, other: Trace): boolean {
  const [first, second] = [one, other].map((trace) => instant(endReading(trace)?.execution.terminalAt));
  return first !== undefined && second !== undefined && first < second;
}

export const isQueued = (trace: Trace): trace is Started =>
  trace.start !== undefined && answeredStatus(trace.start) === 'queued';

/** Violated if an execution that was queued before an accepted start for its group was still queued after it. */
export function overtaking(newcomer: Exchange, traces: readonly Trace[]): Finding | undefined {
  const own = traces.find(({ start }) => start === newcomer);
  for (const older of traces.filter(isQueued)) {
    const { start } = older;
    if (!precedes(start, newcomer) || !sameId(groupOf(start), groupOf(newcomer))) continue;
    // It had its turn before: a reading that shows it as queued comes from a cache.
    if (own && endedBefore(older, own)) continue;
    const waiting = readings(older.readings).find((one) => one.status === 'queued' && precedes(newcomer, one.exchange));
    if (waiting)
      return violated([newcomer, start, waiting.exchange], 'the execution that was queued earlier to start first');
  }
  return undefined;
}
