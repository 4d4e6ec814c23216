/** How long an execution lasted, by the service's own clock. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Fields } from '../../engine/outcome/read.js';
import { ending, readings } from '../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import { blur, clocksApartMs, instant, resolution, writtenStep } from '../../engine/rule/values.js';
import type { Trace } from '../../engine/vocabulary.js';

/** How long an execution lasted by the target's own clock, in milliseconds. */
export function lifetime({ createdAt, terminalAt }: Fields): number | undefined {
  const [from, to] = [instant(createdAt), instant(terminalAt)];
  return from === undefined || to === undefined ? undefined : to - from;
}

const timesOf = ({ createdAt, terminalAt }: Fields) => [createdAt, terminalAt].flatMap((time) => instant(time) ?? []);

/** The same, as long as its clocks leave possible. */
export function longestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted + blur(...timesOf(execution));
}

/** The step of the clock that an execution's times were read from, in milliseconds. */
export const clockStep = (execution: Fields): number =>
  Math.max(resolution(...timesOf(execution)), ...[execution.createdAt, execution.terminalAt].map(writtenStep));

/** How long it was, no longer than that step leaves certain. */
export function shortestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted - clockStep(execution);
}

/**
 * How far apart the clocks may be by which an execution was created and ended: no further than what was seen of its life
 * leaves open, where its own times agree with that.
 */
export function apartMs(trace: Trace): number {
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
