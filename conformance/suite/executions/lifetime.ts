/** How long an execution lasted, by the service's own clock. */

import type { Fields } from '../../engine/outcome/read.js';
import { blur, instant, resolution, writtenStep } from '../../engine/rule/values.js';

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
