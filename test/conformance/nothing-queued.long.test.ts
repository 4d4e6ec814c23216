import { expect, test } from 'vitest';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference, type Deviation } from '../../deviations/index.js';
import { lasting } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';

const { fixtures: target } = createReference({ latencyMs: 5 } as Parameters<typeof createReference>[0]);

/** What holds the group ends before all else does. */
const heldBriefly: Deviation = {
  id: 'held-briefly',
  behaviour: (base) => ({
    stepsOf: (run) =>
      base
        .stepsOf(run)
        .map((step) =>
          step.ms === undefined || run.workflow.id !== target.capacity.workflow
            ? step
            : { ...step, ms: step.ms * 0.75 },
        ),
  }),
};

/** Runs of so many minutes, of which the target file says nothing unless `takes` is given. */
async function runOf(minutes: number, takes?: string, ...more: readonly Deviation[]) {
  const workflows = Object.entries(target.workflows ?? {}).map(([role, id]) => [
    role,
    { id: String(id), ...(takes && { takes }) },
  ]);
  const service = { latencyMs: 5, faults: [lasting(minutes), ...more], limits: { concurrency: 5 } };
  const run = await checkInProcess(service, {
    target: toTarget({ ...target, workflows: Object.fromEntries(workflows), budget: { executions: 12 } }),
  });
  const verdictOf = (id: string) => run.rules.find((rule) => rule.id === id);
  const queued = run.leftBehind.filter(({ note }) => note.includes('queued'));
  const asked = run.evidence.exchanges.filter(({ mark }) => mark?.step.startsWith('queue-') && !mark.probe);
  return { run, verdictOf, queued, asked };
}

test('if no execution ends in the waiting time, none is left queued, and the report names what to declare', async () => {
  const { run, queued, asked, verdictOf } = await runOf(30);
  expect(queued).toEqual([]);
  expect(asked).toEqual([]);
  for (const id of ['over-capacity-is-queued', 'queue-is-oldest-first', 'queued-starts-by-itself'])
    expect(verdictOf(id)).toMatchObject({
      verdict: 'inconclusive',
      why: expect.stringContaining('workflows.completes.takes'),
    });
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
});

test.each([
  { where: 'the first end comes before the group is free', minutes: 2 },
  { where: 'the group is free before the first end', minutes: 2, more: [heldBriefly] },
  { where: 'it is declared how long they take', minutes: 30, takes: '30m' },
])('executions that have to wait are queued if $where', async ({ minutes, takes, more = [] }) => {
  const { queued, asked, verdictOf } = await runOf(minutes, takes, ...more);
  expect(queued).toEqual([]);
  expect(asked.length).toBeGreaterThan(1);
  expect(verdictOf('over-capacity-is-queued')).toMatchObject({ verdict: 'passed' });
  expect(verdictOf('queue-is-oldest-first')).toMatchObject({ verdict: 'passed' });
});
