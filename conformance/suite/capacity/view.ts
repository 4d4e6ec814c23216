/** The order of executions that wait for one group. */

import { isStopped } from '../../../generated/lifecycle.js';
import { isWaitingStart } from '../../engine/outcome/read.js';
import { answeredStatus, endReading, type Reading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { instant } from '../../engine/rule/times.js';
import type { Evidence, Exchange, Facts, Finding, Started, Trace } from '../../engine/vocabulary.js';
import { covers, isOfGroup, timed } from '../executions/intervals.js';
import { groupOf } from '../executions/view.js';
import { expectedStates } from '../expected.js';

// Whether a group was full when a request for it was handled.

/**
 * Whether as many executions as the group has profiles ran from before the request until after it was handled. A
 * synchronous start is handled long before it is answered.
 */
export function groupWasFull({ traces }: Evidence, request: Exchange, { capacity: group, pace }: Facts): boolean {
  if (!group) return false;
  const to = isWaitingStart(request)
    ? Math.min(answeredAt(request), request.at + pace.latencyGraceMs)
    : answeredAt(request);
  const filling = timed(traces)
    .filter(isOfGroup(group.profileGroup))
    .filter(({ trace, surely }) => trace.start !== request && covers(surely, { from: request.at, to }));
  return filling.length >= group.size;
}

/** The first reading that proves that a queued execution has started. It may be read as starting even while queued. */
export function firstStartedReading({ start, readings: all }: Trace, facts: Facts): Reading | undefined {
  const seen = readings(all);
  const ends: readonly string[] = start ? expectedStates(start, facts) : [];
  const queued = seen.findIndex((reading) => reading.status === 'queued');
  return seen.find(
    (reading, index) =>
      reading.status === 'running' ||
      reading.status === 'completed' ||
      ends.includes(reading.status) ||
      isStopped(reading.status) ||
      (reading.status === 'starting' && queued >= 0 && index > queued),
  );
}

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
