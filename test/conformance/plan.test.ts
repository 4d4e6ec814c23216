import { describe, expect, test } from 'vitest';
import { byKey } from '../../conformance/engine/rule/values.js';
import { plan } from '../../conformance/plan.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { checkInProcess } from '../../proof/in-process.js';
import { judging } from '../support/interrupted.js';
import { predicted, usualPlan, usualRun, usualTarget } from '../support/usual-run.js';

// What is in between leaves out of the last what the others show.
describe.each(['read', 'delete'] as const)('a plan at --allow %s', (allow) => {
  test('names the scenarios and operations of the run, and about how many requests', async () => {
    const [intended, run] = [await usualPlan({ allow }), await usualRun({ allow })];
    const planned = new Map(intended.scenarios.map(({ id, operations }) => [id, operations]));
    const others = run.evidence.exchanges.filter(
      ({ mark, operation }) => operation && !planned.get(mark?.scenario ?? '')?.includes(operation),
    );
    expect(others.map(({ mark, operation }) => `${mark?.scenario} ${operation}`)).toEqual([]);
    const sent = run.evidence.exchanges.filter(({ mark }) => !['read', 'list'].includes(mark?.step ?? ''));
    const own = [...byKey(sent, ({ mark }) => mark?.scenario ?? '')].map(([id, of]) => `${id} ${of.length}`);
    const says = `the plan adds \`requests\` of scenarios; the run sent ${sent.length}: ${own.join(', ')}`;
    expect(intended.requests, says).toBeGreaterThan(sent.length / 1.5);
    expect(intended.requests, says).toBeLessThan(sent.length * 1.5);
    expect(intended.executions, 'executions of the plan, as the run started them').toBe(run.executionsStarted);
    const left = run.leftBehind.filter(({ kind }) => kind === 'profile').length;
    expect(intended.copies, 'copies of the plan, as the run left them behind').toBe(left);
  });
});

test('a plan names what each untested rule needs', async () => {
  const { untested } = await plan(toTarget({ baseUrl: 'http://127.0.0.1:1' }));
  expect(untested.find(({ rule }) => rule === 'profile-name-is-unique')).toEqual({
    rule: 'profile-name-is-unique',
    why: 'To judge it, set profile or scratchProfile, and allow: write.',
    notSent: ['profile/name-taken', 'profile/copy-name-taken', 'profile/copy-abroad-name-taken'],
  });
});

test('a plan that only reads starts nothing and changes nothing', async () => {
  const { scenarios, executions, copies, leavesBehind } = await usualPlan({ allow: 'read' });
  expect({ executions, copies, leavesBehind }).toEqual({ executions: 0, copies: 0, leavesBehind: [] });
  expect(new Set(scenarios.map(({ effect }) => effect))).toEqual(new Set(['read']));
});

test('a plan lists steps by rule and rules by step', async () => {
  const { scenarios, rules } = await usualPlan();
  const steps = (id: string) => rules.find(({ rule }) => rule === id)?.steps;
  expect(steps('execute-returns-at-once')).toEqual(['run-slow/start']);
  expect(steps('no-server-errors')).toEqual(['*']);
  const slow = scenarios.find(({ id }) => id === 'run-slow')?.steps;
  expect(slow?.find(({ step }) => step === 'run-slow/start')?.serves).toContain('execute-returns-at-once');
});

test('a plan names the steps that are not sent for untested rules', async () => {
  const declared = { allow: 'read' } as const;
  const { untested } = await usualPlan(declared);
  const { rules } = await checkInProcess({}, { ...judging('execute-returns-at-once'), target: usualTarget(declared) });
  const expected = { why: 'To judge it, set allow: execute.', notSent: ['run-slow/start'] };
  expect(untested.find(({ rule }) => rule === 'execute-returns-at-once')).toMatchObject(expected);
  expect(rules.find(({ id }) => id === 'execute-returns-at-once')).toMatchObject(expected);
});

test('a plan of one rule has the steps that the rule needs', async () => {
  const planOf = (id: string) => plan(usualTarget(), (rule) => rule.id === id);
  const [inputs, refusal, reading] = [
    await planOf('inputs-are-recorded'),
    await planOf('soft-timeout-minimum'),
    await planOf('unknown-execution-is-404'),
  ];
  expect([inputs.executions, refusal.executions, reading.executions]).toEqual([2, 2, 0]);
  const whole = await usualPlan();
  expect([inputs, refusal, reading].filter(({ requests }) => requests > whole.requests / 3)).toEqual([]);
});

test('profiles are changed from the beginning, so that no time limit skips that', async () => {
  const { scenarios } = await usualPlan();
  expect(scenarios.find(({ id }) => id === 'profile')?.fromMs).toBe(0);
});

test.each([3, 12])(
  'with a budget of %i the rules that the plan predicts as untested are untested',
  async (executions) => {
    const declared = { budget: { executions } };
    const run = await usualRun(declared);
    const { error, differing } = predicted(await usualPlan(declared), run);
    expect(error, differing).toBeLessThanOrEqual(2);
    expect(run.executionsStarted).toBeLessThanOrEqual(executions);
  },
);

// Each compares two executions, or needs a place that is taken.
test.each(['executions-are-separate', 'urls-are-separate', 'over-capacity-is-queued'])(
  'a run of %s alone judges it',
  async (id) => {
    const { rules } = await checkInProcess({}, { target: usualTarget(), selected: (rule) => rule.id === id });
    expect(rules).toMatchObject([{ id, verdict: 'passed' }]);
  },
);
