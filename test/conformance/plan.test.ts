import { describe, expect, test } from 'vitest';
import { plan } from '../../conformance/plan.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { gaps } from '../../generated/rules.js';
import { checkInProcess } from '../../proof/in-process.js';
import { judging } from '../support/interrupted.js';
import { planned, sent } from '../support/planned.js';
import { usualPlan, usualRun, usualTarget } from '../support/usual-run.js';

// What is in between leaves out of the last what the others tell.
describe.each(['read', 'delete'] as const)('a plan at --allow %s', (allow) => {
  test('names what is then sent, no more and no less', async () => {
    const [intended, run] = [await usualPlan({ allow }), await usualRun({ allow })];
    expect(sent(run)).toEqual(planned(intended));
    expect(intended.executions).toBe(run.executionsStarted);
    expect(intended.duplicates).toBe(run.leftBehind.filter(({ kind }) => kind === 'profile').length);
    // Evidence that a lesser effect yields may judge a rule all the same; nothing else stays untested, beside what runs that
    // are longer than those of the reference would show.
    const untested = run.rules
      .filter(({ id, verdict }) => verdict === 'untested' && id !== 'sync-default-timeout')
      .map(({ id }) => id);
    const foretold = intended.untested.map(({ rule }) => rule);
    expect(untested.filter((id) => !foretold.includes(id))).toEqual([]);
  });
});

test('a plan names what each untested rule would take', async () => {
  const { untested } = await plan(toTarget({ baseUrl: 'http://127.0.0.1:1' }));
  expect(untested.find(({ rule }) => rule === 'profile-name-is-unique')).toEqual({
    rule: 'profile-name-is-unique',
    why: 'To judge it, declare profile or scratchProfile and allow write.',
    notSent: ['profile/name-taken', 'profile/copy-name-taken', 'profile/copy-abroad-name-taken'],
  });
});

test('reading starts nothing and changes nothing', async () => {
  const { journeys, executions, duplicates, leavesBehind } = await usualPlan({ allow: 'read' });
  expect({ executions, duplicates, leavesBehind }).toEqual({ executions: 0, duplicates: 0, leavesBehind: [] });
  expect(journeys.map(({ effect }) => effect)).not.toContain('execute');
});

test('lists requests by rule and rules by request', async () => {
  const { journeys, rules } = await usualPlan();
  const steps = (id: string) => rules.find(({ rule }) => rule === id)?.steps;
  expect(steps('execute-returns-at-once')).toEqual(['run-slow/start']);
  expect(steps('no-server-errors')).toEqual(['*']);
  const slow = journeys.find(({ id }) => id === 'run-slow')?.steps;
  expect(slow?.find(({ step }) => step === 'start')?.serves).toContain('execute-returns-at-once');
  const asked = journeys.flatMap((journey) => journey.steps.flatMap(({ asks }) => asks));
  expect(asked.length).toBeGreaterThan(0);
  expect(gaps.map(({ id }) => id)).toEqual(expect.arrayContaining(asked));
});

test('names the steps that are not sent for what stays untested', async () => {
  const declared = { allow: 'read' } as const;
  const { untested } = await usualPlan(declared);
  const { rules } = await checkInProcess({}, { ...judging('execute-returns-at-once'), target: usualTarget(declared) });
  const expected = { why: 'To judge it, allow execute.', notSent: ['run-slow/start'] };
  expect(untested.find(({ rule }) => rule === 'execute-returns-at-once')).toMatchObject(expected);
  expect(rules.find(({ id }) => id === 'execute-returns-at-once')).toMatchObject(expected);
});

test('a plan of one rule sends what that rule needs', async () => {
  const planOf = (id: string) => plan(usualTarget(), (rule) => rule.id === id);
  const [inputs, refusal, reading] = [
    await planOf('inputs-are-recorded'),
    await planOf('soft-timeout-minimum'),
    await planOf('unknown-execution-is-404'),
  ];
  expect([inputs.executions, refusal.executions, reading.executions]).toEqual([2, 2, 0]);
  expect(inputs.requests).toBeLessThan(20);
  const whole = await usualPlan();
  expect(refusal.requests).toBeLessThan(whole.requests / 4);
  expect(reading.requests).toBeLessThan(whole.requests / 4);
});

test('what needs no execution does not wait for any, so that no time limit leaves it out', async () => {
  const { foreseen } = await usualPlan();
  const updates = Object.entries(foreseen?.sentAtMs ?? {}).filter(([step]) => step.startsWith('profile/'));
  expect(updates.length).toBeGreaterThan(50);
  // The first executions end after two minutes.
  expect(Math.max(...updates.map(([, at]) => at))).toBeLessThan(60_000);
});

// Each compares two executions, or needs a place that is taken.
test.each(['executions-are-separate', 'urls-are-separate', 'over-capacity-is-queued'])(
  'a run of %s alone judges it',
  async (id) => {
    const { rules } = await checkInProcess({}, { target: usualTarget(), selected: (rule) => rule.id === id });
    expect(rules).toMatchObject([{ id, verdict: 'passed' }]);
  },
);
