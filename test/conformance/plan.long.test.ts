import { expect, test } from 'vitest';
import { derivedSteps } from '../../conformance/suite/executions/roles.js';
import { type Declared, predicted, usualFile, usualPlan, usualRun } from '../support/usual-run.js';

const { completes, pauses, pausesByAgent, awaitsConfirmation, ...others } = usualFile.workflows;
const only = Object.fromEntries(Object.keys(usualFile).map((name) => [name, undefined])) as Declared;
const completing = {
  ...only,
  ...{ stateful: true, baseUrl: usualFile.baseUrl, apiKeys: usualFile.apiKeys, pace: usualFile.pace, allow: 'delete' },
  workflows: { completes },
} as Declared;

test.each<[string, Declared]>([
  ['one that declares a workflow that completes', completing],
  ['one that declares a capacity group too', { ...completing, capacity: usualFile.capacity }],
  ['one that declares a profile too', { ...completing, profile: usualFile.profile }],
  ['one of everything but workflows that pause', { workflows: { completes, ...others } }],
  ['one of everything', {}],
])(
  'at every budget from 0 to 30 the plan of %s predicts the untested rules, up to two, and more budget judges no fewer',
  async (_, declared) => {
    let before = Number.POSITIVE_INFINITY;
    for (let executions = 0; executions <= 30; executions += 1) {
      const budgeted = { ...declared, budget: { executions } };
      const intended = await usualPlan(budgeted);
      const run = await usualRun(budgeted);
      const { error, differing } = predicted(intended, run);
      expect(error, `budget of ${executions}: ${differing}`).toBeLessThanOrEqual(2);
      const left = run.rules.filter(({ verdict }) => verdict === 'untested').length;
      expect(left, `untested rules with a budget of ${executions}, beside ${executions - 1}`).toBeLessThanOrEqual(
        before,
      );
      expect(run.executionsStarted, 'executions of the run, beside its plan').toBeLessThanOrEqual(intended.executions);
      before = left;
    }
  },
  300_000,
);

test.each([
  { label: 'with the default budget', most: 24 + derivedSteps.length },
  { label: 'with a large one', budget: { executions: 60 }, most: 48 + derivedSteps.length },
])('a full run $label starts at most $most executions and leaves at most 7 copies', async ({ budget, most }) => {
  const declared = budget ? { budget } : {};
  const { executions, copies } = await usualPlan(declared);
  const says = 'executions of the plan: if a new step starts more, the numbers of this test change with it';
  expect(executions, says).toBeGreaterThan(most - 3);
  expect(executions, says).toBeLessThanOrEqual(most);
  expect((await usualRun(declared)).executionsStarted).toBeLessThanOrEqual(executions);
  expect(copies).toBeGreaterThan(0);
  expect(copies).toBeLessThanOrEqual(7);
});
