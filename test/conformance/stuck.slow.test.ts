import { expect, test } from 'vitest';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference, type Deviation } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';

const latencyMs = 20;
const patienceSeconds = 60;
/** How many executions may run at once. */
const most = 5;

/** Runs of these workflows begin and never end. */
const stuck = (isStuck: (workflow: string) => boolean): Deviation => ({
  id: 'stuck',
  says: 'Runs never end.',
  behaviour: (base) => ({
    stepsOf: (run) =>
      isStuck(run.workflow.id) ? [{ status: 'starting', ms: 100 }, { status: 'running' }] : base.stepsOf(run),
  }),
});

const { target } = createReference({ latencyMs } as Parameters<typeof createReference>[0]);

test.each([
  ['every run is', () => true],
  ['one workflow is', (workflow: string) => workflow === target.workflows.completes],
])('where %s stuck, that is told within twice the patience, and few are left running or queued', async (_, isStuck) => {
  const run = await checkInProcess(
    { latencyMs, faults: [stuck(isStuck)], limits: { concurrency: most } },
    { target: toTarget({ ...target, allow: 'execute', pace: { ...target.pace, patienceSeconds } }) },
  );
  expect(run.durationMs).toBeLessThan(2 * patienceSeconds * 1000);
  expect(run.leftBehind.filter(({ kind }) => kind === 'execution').length).toBeLessThanOrEqual(most);
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'inconclusive').length).toBeGreaterThan(0);
});
