/** The order of executions that wait for one group. */

import { answeredStatus, endReading } from '../../engine/outcome/readings.js';
import { precedes } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { instant } from '../../engine/rule/times.js';
import type { Exchange, Facts, Finding, Started, Trace } from '../../engine/vocabulary.js';
import { isOfGroup, timed } from '../executions/intervals.js';
import { groupOf } from '../executions/view.js';

/** A group of profiles that a run may fill. */
export type Group = NonNullable<Facts['capacity']>;

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
  for (const { trace: older, waiting } of timed(traces).filter(isOfGroup(groupOf(newcomer)))) {
    if (!waiting?.last || !precedes(older.start, newcomer) || !precedes(newcomer, waiting.last)) continue;
    // It had its turn before: a reading that shows it as queued comes from a cache.
    if (own && endedBefore(older, own)) continue;
    return violated([newcomer, older.start, waiting.last], 'the execution that was queued earlier to start first');
  }
  return undefined;
}
