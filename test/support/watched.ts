import { expect } from 'vitest';
import type { Deviation } from '../../deviations/index.js';

/** Notes the runs of a service as they begin. */
export function watched() {
  const runs: { readonly startedAt?: number; readonly terminalAt?: number }[] = [];
  const watching: Deviation = {
    id: 'watched',
    says: 'Its runs are noted.',
    behaviour: (base) => ({
      stepsOf: (run) => {
        runs.push(run);
        return base.stepsOf(run);
      },
    }),
  };
  /** How many were under way at once at most. What waits in a queue is none yet. */
  const mostAtOnce = () => {
    expect(runs.length).toBeGreaterThan(5);
    const isUnderWay = (at: number) => (run: (typeof runs)[number]) =>
      (run.startedAt ?? 0) <= at && (run.terminalAt ?? Number.POSITIVE_INFINITY) > at;
    return Math.max(...runs.map(({ startedAt = 0 }) => runs.filter(isUnderWay(startedAt)).length));
  };
  return { watching, mostAtOnce };
}
