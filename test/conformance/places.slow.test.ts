import { expect, test } from 'vitest';
import { endReading } from '../../conformance/engine/outcome/readings.js';
import { controlSteps } from '../../conformance/suite/executions/control.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference, type Deviation } from '../../deviations/index.js';
import { lasting } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';
import { usualRun } from '../support/usual-run.js';

/** Notes the runs of a service as they begin. */
function watched() {
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

const runWith = async (places?: number) => {
  const { watching, mostAtOnce } = watched();
  const service = { latencyMs: 5, faults: [watching] };
  const { target } = createReference({ latencyMs: 5 });
  const budget = { ...(places !== undefined && { places }) };
  const run = await checkInProcess(service, { target: toTarget({ ...target, allow: 'execute', budget }) });
  return { run, mostAtOnce };
};

test('a run takes no more places than it may, also by what it queued and what begins by itself', async () => {
  const { run, mostAtOnce } = await runWith(1);
  expect(mostAtOnce()).toBe(1);
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(100);
});

test('and holds more where it may', async () => {
  expect((await runWith()).mostAtOnce()).toBeGreaterThan(3);
});

/** Runs of two minutes, of which the target file says so. */
const slowRunWith = async (places: number, executions: number) => {
  const { watching, mostAtOnce } = watched();
  const service = { latencyMs: 5, faults: [watching, lasting(2)], limits: { concurrency: 5 } };
  const { target } = createReference(service as Parameters<typeof createReference>[0]);
  const workflows = Object.fromEntries(
    Object.entries(target.workflows ?? {}).map(([role, id]) => [role, { id: String(id), takes: '2m' }]),
  );
  const run = await checkInProcess(service, {
    target: toTarget({ ...target, allow: 'execute', workflows, budget: { places, executions } }),
  });
  return { run, mostAtOnce };
};

test('who fills a group alone waits for no place that others keep', async () => {
  const { run } = await slowRunWith(5, 20);
  expect(run.rules.filter(({ id }) => id === 'over-capacity-is-rejected')[0]?.verdict).toBe('passed');
  // Six runs in the group, one after the other, and what goes on around them.
  expect(run.durationMs).toBeLessThan(13 * 60_000);
  // All that wait look at what runs, each as if it were alone: ten times as often.
  const looks = run.evidence.exchanges.filter(({ mark }) => mark?.step === 'look-for-a-place');
  expect(looks.length / run.executionsStarted).toBeLessThan(50);
});

test('while a start waits for its place nothing is sent that is to be refused beside it', async () => {
  const { run, mostAtOnce } = await slowRunWith(1, 17 + controlSteps.filter(({ serves }) => serves.length > 1).length);
  const started = run.evidence.exchanges.filter(({ mark }) => mark?.step === 'over-waited-for');
  expect(started.map((one) => one.response?.status)).toEqual([429]);
  expect(run.executionsStarted).toBeGreaterThan(14);
  expect(mostAtOnce()).toBe(1);
});

test('what is started last is followed to its end by who started it', async () => {
  const { evidence } = await usualRun({ allow: 'execute', budget: { executions: 60 } });
  const ends = evidence.traces
    .filter(({ start }) => start?.mark?.step === 'hard-to-keep')
    .map((trace) => ({ ...trace, readings: trace.readings.filter(({ mark }) => mark?.journey === 'refusals') }))
    .map((trace) => endReading(trace)?.status);
  expect(ends).toEqual(['completed']);
});
