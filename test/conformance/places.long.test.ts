import { expect, test } from 'vitest';
import { derivedSteps } from '../../conformance/suite/executions/roles.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference } from '../../deviations/index.js';
import { lasting } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';
import { watched } from '../../proof/watched.js';

/** Runs of two minutes, of which the target file says so. */
const slowRunWith = async (places: number, executions: number) => {
  const { watching, mostAtOnce } = watched();
  const service = { latencyMs: 5, faults: [watching, lasting(2)], limits: { concurrency: 5 } };
  const { fixtures: target } = createReference(service as Parameters<typeof createReference>[0]);
  const workflows = Object.fromEntries(
    Object.entries(target.workflows ?? {}).map(([role, id]) => [role, { id: String(id), takes: '2m' }]),
  );
  const run = await checkInProcess(service, {
    target: toTarget({ ...target, allow: 'execute', workflows, budget: { places, executions } }),
  });
  return { run, mostAtOnce };
};

test('a step that fills a group alone does not wait for places of other executions', async () => {
  const { run } = await slowRunWith(5, 20);
  expect(run.rules.filter(({ id }) => id === 'over-capacity-is-rejected')[0]?.verdict).toBe('passed');
  // Six runs in the group, one after the other, and what goes on around them.
  expect(run.durationMs).toBeLessThan(13 * 60_000);
  // All that wait look at what runs, each as if it were alone: ten times as often.
  const looks = run.evidence.exchanges.filter(({ mark }) => mark?.step === 'look-for-a-place');
  expect(looks.length / run.executionsStarted).toBeLessThan(50);
});

test('with one place, executions run one at a time', async () => {
  const { run, mostAtOnce } = await slowRunWith(1, 19 + derivedSteps.filter(({ serves }) => serves.length > 1).length);
  expect(run.executionsStarted).toBeGreaterThan(14);
  expect(mostAtOnce()).toBe(1);
});
