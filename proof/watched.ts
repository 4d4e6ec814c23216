import type { Deviation } from '../deviations/index.js';

/** Notes the executions of a service as they begin. */
export function watched() {
  const runs: { readonly startedAt?: number; readonly terminalAt?: number }[] = [];
  const watching: Deviation = {
    id: 'watched',
    behaviour: (base) => ({
      stepsOf: (run) => {
        runs.push(run);
        return base.stepsOf(run);
      },
    }),
  };
  /** The most executions that ran at once. A queued one does not run. */
  const mostAtOnce = () => {
    const isRunning = (at: number) => (run: (typeof runs)[number]) =>
      (run.startedAt ?? 0) <= at && (run.terminalAt ?? Number.POSITIVE_INFINITY) > at;
    return Math.max(0, ...runs.map(({ startedAt = 0 }) => runs.filter(isRunning(startedAt)).length));
  };
  return { watching, mostAtOnce };
}
