/** interface: Execution, terminalAt and duration. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { ending, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, behindMs, precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { eachReading } from '../../../engine/rule/together.js';
import { blur, clocksApartMs, instant, shows } from '../../../engine/rule/values.js';
import { inMs, shown } from '../../../engine/rule/words.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { gaveUp, isSync, waitMs } from '../../sync/view.js';
import { clockStep, lifetime, longestLifetime } from '../lifetime.js';

export const durations = {
  /**
   * Seen: a reading. Satisfied where terminalAt is left out before the end, and is not before createdAt after it; broken as well
   * where it is later than the end was read, or is createdAt of executions that went on for a while.
   */
  'terminal-at-only-when-terminal': {
    ...eachReading(({ exchange, execution, status }) => {
      const { createdAt, terminalAt } = execution;
      if (!isTerminal(status))
        return shows(execution, 'terminalAt')
          ? violated(exchange, `no terminalAt while ${status}`, `terminalAt ${shown(terminalAt)}`)
          : satisfied(exchange);
      const longest = longestLifetime(execution);
      if (longest === undefined) return undefined;
      return longest <= 0
        ? violated(exchange, `terminalAt not before createdAt, ${shown(createdAt)}`, shown(terminalAt))
        : satisfied(exchange);
    }),
    // It was created after it was asked for, and had ended before that was answered.
    trace(trace) {
      const end = ending(trace);
      const { createdAt, terminalAt } = end?.execution ?? {};
      const [from, to] = [instant(createdAt), instant(terminalAt)];
      if (!trace.start || !end || from === undefined || to === undefined) return undefined;
      const most = answeredAt(end.exchange) - trace.start.at;
      return to - from > most + blur(from, to)
        ? violated(
            [end.exchange, trace.start],
            `terminalAt when it ended, ${inMs(most)} after createdAt, ${shown(createdAt)}, at most`,
            shown(terminalAt),
          )
        : undefined;
    },
    run({ traces }) {
      const found = traces.flatMap((trace) => endedAtCreation(trace) ?? []);
      // One may be that of a clock which is behind by just so much.
      return found.length > 1 ? found : undefined;
    },
  },

  /**
   * Seen: a duration after the end. Satisfied where it fits between createdAt and terminalAt, or, where these are not shown,
   * between the start and the reading; violated where it is longer, or shorter than the run was seen running.
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
      const end = ending(trace);
      const before = readings(trace.readings).filter(({ exchange }) => !end || precedes(exchange, end.exchange));
      const [first, last] = longestRunning(before);
      const duration = end?.execution.duration;
      const lasted = end && lifetime(end.execution);
      if (!end || typeof duration !== 'number') return undefined;
      if (lasted === undefined) return trace.start && withinSight(trace.start, end.exchange, duration);
      const apart = apartMs(trace);
      const longer = trace.start && longerThan(end.execution, apart, [end.exchange, trace.start]);
      if (longer || !first || !last) return longer;
      // A clock may stand still with its machine: of what was seen so much passed by the service's own.
      const passed = Math.min(1, lasted / (answeredAt(end.exchange) - (trace.start ?? first).at));
      const least = Math.floor(((last.at - answeredAt(first)) * passed - apart) / 1000);
      return duration < least
        ? violated([end.exchange, first, last], `duration in seconds, ${least} at least`, `duration ${duration}`)
        : undefined;
    },
  },
} satisfies Judges;

/** Times that are less than this apart may be one. */
const tellsApartMs = 500;

/** By its times the execution ended when it was created, though it went on after that, also where replicas are behind. */
function endedAtCreation(trace: Trace): Finding | undefined {
  const { start, readings: all } = trace;
  const end = ending(trace);
  const { createdAt, terminalAt } = end?.execution ?? {};
  if (!start || !end || lifetime(end.execution) !== 0) return undefined;
  const last = readings(all).findLast(({ status }) => !isTerminal(status))?.exchange ?? start;
  const waited = isSync(start) && gaveUp(start) ? Math.min(start.durationMs, waitMs(start) ?? 0) : 0;
  const wentOn = Math.max(waited, last.at - answeredAt(start) - behindMs);
  return wentOn > Math.max(clockStep(end.execution), tellsApartMs)
    ? violated(
        [end.exchange, last],
        `terminalAt when it ended, ${inMs(wentOn)} after createdAt, ${shown(createdAt)}, at least`,
        shown(terminalAt),
      )
    : undefined;
}

/** How far apart who watches and who runs may count the seconds. */
const sightMs = 5000;

/** A duration beside what passed for who started the execution and saw it ended. */
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

/** A duration that is longer than the execution, by clocks that may be so far apart. */
function longerThan(execution: Fields, apart: number, seen: readonly Exchange[]): Finding | undefined {
  const { duration } = execution;
  const ms = lifetime(execution);
  if (typeof duration !== 'number' || ms === undefined) return undefined;
  const most = Math.ceil((ms + apart + clockStep(execution)) / 1000);
  return duration > most
    ? violated(seen, `duration in seconds, ${most} at most`, `duration ${duration} in ${ms} ms`)
    : undefined;
}

/** The first and the last reading of the longest time in which nothing but running was seen: a stop may not be counted. */
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
 * How far apart the clocks may be by which an execution was created and ended: no further than what was seen of its life
 * leaves open, where its own times agree with that.
 */
function apartMs(trace: Trace): number {
  const { start, readings: all } = trace;
  const end = ending(trace);
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
