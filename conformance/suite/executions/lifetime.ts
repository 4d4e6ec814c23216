/** How long an execution lasted, by the service's own clock. */

import type { Fields } from '../../engine/outcome/read.js';
import { clockResolutionMs, instant, timePrecisionMs, timeToleranceMs } from '../../engine/rule/times.js';

/** The time between its creation and its end, in milliseconds. */
export function lifetime({ createdAt, terminalAt }: Fields): number | undefined {
  const [from, to] = [instant(createdAt), instant(terminalAt)];
  return from === undefined || to === undefined ? undefined : to - from;
}

const timesOf = ({ createdAt, terminalAt }: Fields) => [createdAt, terminalAt].flatMap((time) => instant(time) ?? []);

/** The longest time that it can have lasted, given that clocks differ and times are rounded. */
export function longestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted + timeToleranceMs(...timesOf(execution));
}

/** The step of the clock that an execution's times were read from, in milliseconds. */
export const clockStep = (execution: Fields): number =>
  Math.max(
    clockResolutionMs(...timesOf(execution)),
    ...[execution.createdAt, execution.terminalAt].map(timePrecisionMs),
  );

/** The shortest time that it can have lasted, given the step of its clock. */
export function shortestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted - clockStep(execution);
}
