import { expect, test } from 'vitest';
import { plan } from '../../../conformance/plan.js';
import { foresee, rehearse } from '../../../conformance/suite/rehearse.js';
import { type TargetFile, toTarget } from '../../../conformance/suite/target/target.js';
import { createReference } from '../../../reference/index.js';

const { fixtures: file } = createReference();

/** Every workflow takes so long, that which fills the group as well. Updates of profiles take no time beside them. */
const taking = async (takes: string, more: Partial<TargetFile> = {}) => {
  const target = targetOf(takes, more);
  return foresee(target, await rehearse(target));
};

function targetOf(takes: string, more: Partial<TargetFile> = {}) {
  const workflows = Object.entries(file.workflows).map(([role, id]) => [role, { id, takes, cost: 0.5 }]);
  const capacity = { ...file.capacity, workflow: file.workflows.slow };
  return toTarget({ ...file, allow: 'execute', workflows: Object.fromEntries(workflows), capacity, ...more });
}

test('what a run takes grows with how long executions take, and its cost does not', async () => {
  const [short, long] = [await taking('1m'), await taking('10m')];
  expect(long.lastsMs / short.lastsMs).toBeGreaterThan(6);
  expect(long.lastsMs).toBeGreaterThan(3 * 600_000);
  expect(short).not.toHaveProperty('assumed');
  expect(long.cost).toEqual(short.cost);
  expect(long.cost).toEqual({ known: expect.any(Number), others: 0 });
});

test('a workflow that declares nothing is taken to last as long as the longest of the others, and is named', async () => {
  const { fails, ...others } = file.workflows;
  const workflows = Object.fromEntries(Object.entries(others).map(([role, id]) => [role, { id, takes: '5m' }]));
  expect(await taking('5m', { workflows: { ...workflows, fails } })).toMatchObject({
    assumed: { ms: 300_000, of: ['workflows.fails'] },
  });
});

test('executions that stop hold their places to the end, and others give them back', async () => {
  const { pauses, pausesByAgent, awaitsConfirmation, ...completing } = file.workflows;
  expect((await taking('1m', { budget: { executions: 60 } })).held).toBeGreaterThan(0);
  const workflows = Object.fromEntries(Object.entries(completing).map(([role, id]) => [role, { id, takes: '1m' }]));
  const { held, heldMs, places } = await taking('1m', { workflows });
  expect({ held, isHeld: heldMs > 10 * 60_000, places: places > 1 }).toEqual({ held: 0, isHeld: true, places: true });
});

test.each([{ executions: 12, places: 1 }, { places: 2 }])(
  'no more executions hold a place than the budget allows, each ends, and the plan counts those that are paid for: %j',
  async (budget) => {
    const { foreseen, executions } = await plan(targetOf('1m', { budget }));
    expect(foreseen).toMatchObject({ places: budget.places, held: 0, cost: { known: executions / 2, others: 0 } });
    expect(foreseen?.heldMs).toBeCloseTo(executions * 60_000, -2);
  },
);

test('an execution that begins last ends by itself', async () => {
  const { completes } = file.workflows;
  const only = { workflows: { completes: { id: completes, takes: '3m' } }, budget: { executions: 12, places: 5 } };
  const { baseUrl, apiKeys } = file;
  const { executions, foreseen } = await plan(toTarget({ baseUrl, apiKeys, allow: 'execute', ...only }));
  expect({ executions, ...foreseen }).toMatchObject({ executions: 11, places: 5, held: 0, heldMs: 11 * 180_000 });
});

test('a target that is only read holds nothing', async () => {
  expect(await taking('1m', { allow: 'read' })).toMatchObject({ places: 0, heldMs: 0, held: 0 });
});
