import { expect, test } from 'vitest';
import { plan } from '../../../../conformance/plan.js';
import { type TargetFile, toTarget } from '../../../../conformance/suite/target/target.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { createReference } from '../../../../reference/index.js';

const { fixtures: file } = createReference();

/** Every workflow takes so long, and so does the one that fills the group. */
function targetOf(takes: string, more: Partial<TargetFile> = {}) {
  const declared = (id: string) => ({ id, takes, cost: 0.5 });
  const workflows = Object.fromEntries(Object.entries(file.workflows).map(([role, id]) => [role, declared(id)]));
  const capacity = { ...file.capacity, workflow: declared(file.capacity.workflow) };
  return toTarget({ ...file, allow: 'execute', workflows, capacity, ...more });
}

const taking = async (takes: string, more: Partial<TargetFile> = {}) => (await plan(targetOf(takes, more))).foreseen;

test('the duration grows with that of executions, and the cost does not', async () => {
  const [short, long] = [await taking('1m'), await taking('10m')];
  expect((long?.lastsMs ?? 0) / (short?.lastsMs ?? 1)).toBeGreaterThan(6);
  expect(long?.lastsMs).toBeGreaterThan(3 * 600_000);
  expect(short).not.toHaveProperty('assumed');
  expect(long?.cost).toEqual(short?.cost);
  expect(long?.cost).toEqual({ known: expect.any(Number), others: 0 });
});

test('a workflow of undeclared duration is assumed to take as long as the longest of the others, and is named', async () => {
  const { fails, ...others } = file.workflows;
  const workflows = Object.fromEntries(Object.entries(others).map(([role, id]) => [role, { id, takes: '5m' }]));
  const capacity = { ...file.capacity, workflow: { id: file.capacity.workflow, takes: '5m' } };
  expect(await taking('5m', { workflows: { ...workflows, fails }, capacity })).toMatchObject({
    assumed: { ms: 300_000, of: ['workflows.fails'] },
  });
});

test('executions that pause hold their places to the end, and are left behind', async () => {
  const all = await plan(targetOf('1m', { budget: { executions: 60 } }));
  expect(all.leavesBehind).toEqual(['paused executions, which hold their places: 6']);
  const ended = await plan(targetOf('1m', { budget: { executions: 60 }, hooks: { cancelExecution: 'true' } }));
  expect(ended.leavesBehind).toEqual([]);
});

test.each([{ executions: 12, places: 1 }, { places: 2 }])(
  'no more executions hold a place than the budget allows, and the plan counts each: %j',
  async (budget) => {
    const { foreseen, executions } = await plan(targetOf('1m', { budget }));
    expect(foreseen).toMatchObject({ places: budget.places, cost: { known: executions / 2, others: 0 } });
    expect(foreseen?.heldMs).toBeCloseTo(executions * 60_000, -2);
  },
);

test('a target that is only read needs no executions', async () => {
  expect(await taking('1m', { allow: 'read' })).toBeUndefined();
});

/** Workflows of the reference service that take this long. */
const lasting = (ms: number) => {
  const id = (n: number) => `aaaaaaa0-0000-4000-8000-00000000000${n}`;
  const ends = ['completed', 'failed', 'cancelled', 'completed'] as const;
  const workflows = ends.map((end, n) => ({ id: id(n), statuses: ['starting', 'running', end], durations: [100, ms] }));
  const declared = (n: number) => ({ id: id(n), takes: `${ms}ms` });
  const { variantMode } = file.workflows;
  const target = {
    workflows: { completes: declared(0), fails: declared(1), cancelled: declared(2), slow: declared(3), variantMode },
    capacity: { ...file.capacity, workflow: declared(0) },
  };
  return { workflows, target } as const;
};

test.each([
  { seconds: 2, budget: {} },
  { seconds: 45, budget: {} },
  { seconds: 180, budget: {} },
  { seconds: 45, budget: { executions: 12 } },
  { seconds: 45, budget: { executions: 30, places: 2 } },
])('the predicted duration is right within a factor of 1.5: %j', async ({ seconds, budget }) => {
  const { workflows, target: declared } = lasting(seconds * 1000);
  const target = toTarget({ ...file, ...declared, budget } as unknown as TargetFile);
  const { foreseen, executions, mostExecutions } = await plan(target);
  const run = await checkInProcess({ workflows } as unknown as Parameters<typeof checkInProcess>[0], { target });
  const ratio = (foreseen?.lastsMs ?? 0) / run.durationMs;
  expect(ratio).toBeGreaterThan(1 / 1.5);
  expect(ratio).toBeLessThan(1.5);
  expect(run.executionsStarted).toBeLessThanOrEqual(mostExecutions);
  expect(run.executionsStarted).toBe(executions);
});
