import { expect, test } from 'vitest';
import { endReading } from '../../conformance/engine/outcome/readings.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference, type ReferenceOptions } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';
import { watched } from '../../proof/watched.js';
import type { Deviation } from '../../reference/deviation.js';
import { usualRun } from '../support/usual-run.js';

const latencyMs = 5;
const targetWith = (budget: object) =>
  toTarget({ ...createReference({ latencyMs } as ReferenceOptions).fixtures, allow: 'execute', budget });

const runWith = async (budget: object) => {
  const { watching, mostAtOnce } = watched();
  const run = await checkInProcess({ latencyMs, faults: [watching] }, { target: targetWith(budget) });
  return { run, mostAtOnce };
};

test('a run uses no more places than it may, including queued executions and those that start by themselves', async () => {
  const { run, mostAtOnce } = await runWith({ places: 1 });
  expect(mostAtOnce()).toBe(1);
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(100);
});

test('a run uses more places if it may', async () => {
  expect((await runWith({})).mostAtOnce()).toBeGreaterThan(3);
});

test('the step that starts the last execution follows it to its end', async () => {
  const { evidence } = await usualRun({ budget: { executions: 60 } });
  const ends = evidence.traces
    .filter(({ start }) => start?.mark?.step === 'hard-to-keep')
    .map((trace) => ({ ...trace, readings: trace.readings.filter(({ mark }) => mark?.scenario === 'refusals') }))
    .map((trace) => endReading(trace)?.status);
  expect(ends).toEqual(['completed']);
});

test('a start that does not wait for capacity is distinguished from one that came too early, also when all places are in use', async () => {
  const sync: Deviation = {
    id: 'sync-never-waits-for-room',
    behaviour: (base) => ({
      readStart: (body) => ({ ...base.readStart(body), ...('timeoutSeconds' in body && { queue: false }) }),
    }),
  };
  const { rules } = await checkInProcess(
    { latencyMs, limits: { concurrency: 1 }, choices: { 'over-capacity-status': '429' }, faults: [sync] },
    { target: targetWith({}) },
  );
  const broken = rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  expect(broken).toEqual(['over-capacity-is-queued']);
});
