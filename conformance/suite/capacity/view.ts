/** The order of executions that wait for one group. */

import { isStopped } from '../../../generated/lifecycle.js';
import { isExcluded, isProbe, isProbeOf } from '../../engine/outcome/mark.js';
import { accepted, isClientError, isStart, isWaitingStart } from '../../engine/outcome/read.js';
import { answeredStatus, endReading, type Reading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, precedes, saysTheSame } from '../../engine/outcome/when.js';
import { violated } from '../../engine/rule/findings.js';
import { instant } from '../../engine/rule/times.js';
import { asText } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Finding, Started, Trace } from '../../engine/vocabulary.js';
import { covers, isOfGroup, timed } from '../executions/intervals.js';
import { groupOf } from '../executions/view.js';
import { expectedStates } from '../target/roles.js';

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

/** Fails if an execution that was queued before an accepted start for its group was still queued after it. */
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

// Finds refused starts that take a place in their group nevertheless.

/** The reasons for which starts are refused. */
export type RefusalReason = 'keys' | 'bodies';
/** Beginnings of step names: a start right after refused ones, and the same start with none before it. */
export const stepAfter = (kind: RefusalReason) => `after-${kind}-` as const;
export const stepBeside = (kind: RefusalReason) => `beside-${kind}-` as const;

/** After so many rounds it is hardly other clients that take the places, not even a run of the suite in step with this one. */
export const enoughRounds = 5;

/** Whether all probes in question between two requests were refused, and there was one at least. */
export function onlyRefused(
  from: Exchange,
  to: Exchange,
  all: readonly Exchange[],
  isMeant: (other: Exchange) => boolean,
  isRefused: (other: Exchange) => boolean,
): boolean {
  const others = all.filter((one) => one.id > from.id && one.id < to.id && isProbe(one) && isMeant(one));
  return others.length > 0 && others.every(isRefused);
}

/** A start that asks for the same group. Others take no place in it. */
const asksForGroupOf =
  (start: Exchange) =>
  (other: Exchange): boolean =>
    isStart(other) && asText(groupOf(other)) === asText(groupOf(start));

/** Whether a start was refused as one at full capacity was. */
export const saysFull = (exchanges: readonly Exchange[], start: Exchange): boolean =>
  isClientError(start) &&
  exchanges.some((one) => isProbeOf(one, 'over-capacity-is-rejected') && saysTheSame(one, start));

/** Fails if starts for a group are always refused right after refused ones, and always accepted without these. */
export function placesTaken(
  { exchanges }: Evidence,
  kind: RefusalReason,
  is: (refusal: Exchange) => boolean,
): Finding | undefined {
  const at = (steps: string) => exchanges.filter((one) => !isExcluded(one) && one.mark?.step.startsWith(steps));
  const [after, beside] = [at(stepAfter(kind)), at(stepBeside(kind))];
  // A refusal may also be a rate limit. It counts only if it says the same as one at full capacity, and nothing else does.
  const isOfPace = (one: Exchange) => exchanges.some((other) => !isStart(other) && saysTheSame(other, one));
  const isFull = (one: Exchange) => saysFull(exchanges, one) && !isOfPace(one);
  const isAlways =
    beside.every(accepted) &&
    after.every((one, round) => {
      const control = beside[round];
      return isFull(one) && control !== undefined && onlyRefused(control, one, exchanges, asksForGroupOf(one), is);
    });
  const [first, other] = [after[0], beside[0]];
  return first && other && isAlways && after.length >= enoughRounds
    ? violated([first, other], `a place for a start after others that were refused for their ${kind}`)
    : undefined;
}
