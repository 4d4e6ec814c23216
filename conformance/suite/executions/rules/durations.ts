/** interface: Execution, terminalAt and duration. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { eachReading, endReading, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, clocksApartMs, precedes, replicaLagMs } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { instant, timeToleranceMs } from '../../../engine/rule/times.js';
import { has, inMs, jsonText } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { gaveUp, isSync, waitMs } from '../../sync/view.js';
import { clockStep, lifetime, longestLifetime } from '../intervals.js';

export const durations = {
  /**
   * Judges a reading. Passes if terminalAt is absent before the end, and after it not before createdAt. Also fails
   * if it is later than the end was read, or the same as createdAt though executions went on for a while.
   */
  'terminal-at-only-when-terminal': {
    ...eachReading(({ exchange, execution, status }) => {
      const { createdAt, terminalAt } = execution;
      if (!isTerminal(status))
        return has(execution, 'terminalAt')
          ? violated(exchange, `no terminalAt while ${status}`, `terminalAt ${jsonText(terminalAt)}`)
          : satisfied(exchange);
      const longest = longestLifetime(execution);
      if (longest === undefined) return undefined;
      return longest <= 0
        ? violated(exchange, `terminalAt not before createdAt, ${jsonText(createdAt)}`, jsonText(terminalAt))
        : satisfied(exchange);
    }),
    // The execution was created after it was requested, and had ended before the first reading that says so was answered.
    trace(trace) {
      const { start } = trace;
      const end = endReading(trace);
      if (!start || !end) return undefined;
      const most = answeredAt(end.exchange) - start.at;
      const late = readings(trace.readings).find(({ execution, status }) => {
        const [from, to] = [instant(execution.createdAt), instant(execution.terminalAt)];
        if (!isTerminal(status) || from === undefined || to === undefined) return false;
        return to - from > most + timeToleranceMs(execution.createdAt, execution.terminalAt);
      });
      return (
        late &&
        violated(
          [late.exchange, end.exchange, start],
          `terminalAt when it ended, ${inMs(most)} after createdAt, ${jsonText(late.execution.createdAt)}, at most`,
          jsonText(late.execution.terminalAt),
        )
      );
    },
    run({ traces }) {
      const found = traces.flatMap((trace) => endedAtCreation(trace) ?? []);
      // A single one may come from a clock that is behind by just that much.
      return found.length > 1 ? found : undefined;
    },
  },

  /**
   * Judges a duration after the end. Passes if it fits between createdAt and terminalAt or, if these are absent,
   * between the start and the reading; fails if it is longer, or shorter than the time it was seen running.
   */
  'duration-is-in-seconds': {
    ...eachReading(({ exchange, execution, status }) => {
      if (!isTerminal(status) || typeof execution.duration !== 'number') return undefined;
      return (
        longerThan(execution, clocksApartMs, [exchange]) ??
        (lifetime(execution) === undefined ? undefined : satisfied(exchange))
      );
    }),
    trace(trace) {
      const end = endReading(trace);
      const before = readings(trace.readings).filter(({ exchange }) => !end || precedes(exchange, end.exchange));
      const [first, last] = longestRunning(before);
      const duration = end?.execution.duration;
      const lasted = end && lifetime(end.execution);
      if (!end || typeof duration !== 'number') return undefined;
      if (lasted === undefined) return trace.start && withinSight(trace.start, end.exchange, duration);
      const apart = apartMs(trace);
      const longer = trace.start && longerThan(end.execution, apart, [end.exchange, trace.start]);
      if (longer || !first || !last) return longer;
      // A clock may stand still together with its machine. So scale what was seen to the time that the service counted.
      const passed = Math.min(1, lasted / (answeredAt(end.exchange) - (trace.start ?? first).at));
      const least = Math.floor(((last.at - answeredAt(first)) * passed - apart) / 1000);
      return duration < least
        ? violated([end.exchange, first, last], `duration in seconds, ${least} at least`, `duration ${duration}`)
        : undefined;
    },
  },
} satisfies Judges;

/** Times that are closer than this may be the same. */
const minDifferenceMs = 500;

/** Finds an execution that by its times ended when it was created, though it was seen to go on. */
function endedAtCreation(trace: Trace): Finding | undefined {
  const { start, readings: all } = trace;
  const end = endReading(trace);
  const { createdAt, terminalAt } = end?.execution ?? {};
  if (!start || !end || lifetime(end.execution) !== 0) return undefined;
  const last = readings(all).findLast(({ status }) => !isTerminal(status))?.exchange ?? start;
  const waited = isSync(start) && gaveUp(start) ? Math.min(start.durationMs, waitMs(start) ?? 0) : 0;
  const wentOn = Math.max(waited, last.at - answeredAt(start) - replicaLagMs);
  return wentOn > Math.max(clockStep(end.execution), minDifferenceMs)
    ? violated(
        [end.exchange, last],
        `terminalAt when it ended, ${inMs(wentOn)} after createdAt, ${jsonText(createdAt)}, at least`,
        jsonText(terminalAt),
      )
    : undefined;
}

/** How far the seconds that the suite counted may differ from those of the service. */
const sightMs = 5000;

/** Compares a duration with the time between start and end as the suite saw it. */
function withinSight(start: Exchange, end: Exchange, duration: number): Finding {
  const passedMs = answeredAt(end) - start.at;
  const most = Math.ceil((passedMs + sightMs) / 1000);
  return duration > most
    ? violated(
        [end, start],
        `duration in seconds, ${most} at most`,
        `duration ${duration}, ${inMs(passedMs)} after the start`,
      )
    : satisfied([end, start]);
}

/** Finds a duration that is longer than the execution, for clocks that differ by `apart` milliseconds at most. */
function longerThan(execution: Fields, apart: number, seen: readonly Exchange[]): Finding | undefined {
  const { duration } = execution;
  const ms = lifetime(execution);
  if (typeof duration !== 'number' || ms === undefined) return undefined;
  const most = Math.ceil((ms + apart + clockStep(execution)) / 1000);
  return duration > most
    ? violated(seen, `duration in seconds, ${most} at most`, `duration ${duration} in ${ms} ms`)
    : undefined;
}

/** First and last reading of the longest period in which only `running` was seen. Stops may not count as duration. */
function longestRunning(seen: readonly Reading[]): Exchange[] {
  let [longest, current]: Exchange[][] = [[], []];
  const lasts = (all: readonly Exchange[] = []) => (all.at(-1)?.at ?? 0) - (all[0]?.at ?? 0);
  for (const { status, exchange } of seen) {
    current = status === 'running' ? [...(current ?? []).slice(0, 1), exchange] : [];
    if (lasts(current) > lasts(longest)) longest = current;
  }
  return longest ?? [];
}

/**
 * How far the clocks that set createdAt and terminalAt may differ: if these times fit what was seen of the execution,
 * no more than that leaves open.
 */
function apartMs(trace: Trace): number {
  const { start, readings: all } = trace;
  const end = endReading(trace);
  const lasted = end && lifetime(end.execution);
  if (!start || !end || lasted === undefined) return clocksApartMs;
  const before = readings(all).findLast(
    ({ exchange, status }) => !isTerminal(status) && precedes(exchange, end.exchange),
  );
  const least = Math.max(0, before ? before.exchange.at - answeredAt(start) : 0);
  const most = answeredAt(end.exchange) - start.at;
  const step = clockStep(end.execution);
  return least <= lasted + step && lasted - step <= most ? Math.min(clocksApartMs, most - least) : clocksApartMs;
}
