import { describe, expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import type { Plan } from '../../conformance/engine/vocabulary/plan.js';
import { plan } from '../../conformance/plan.js';
import { controlSteps } from '../../conformance/suite/executions/control.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { gaps } from '../../generated/rules.js';
import { checkInProcess } from '../../proof/in-process.js';
import { oneWorkflow, poolAlone, usualPlan, usualRun, usualTarget } from '../support/usual-run.js';

/** journey/step → how often, polls aside. */
const planned = ({ journeys }: Plan) => {
  const counts: Record<string, number> = {};
  for (const { id, steps } of journeys)
    for (const { step, times, repeats } of steps)
      if (!repeats) counts[`${id}/${step}`] = (counts[`${id}/${step}`] ?? 0) + times;
  return counts;
};
const sent = ({ evidence }: Run) => {
  const counts: Record<string, number> = {};
  for (const { mark } of evidence.exchanges) {
    // Of two that ask for one profile, one is refused and counts for nothing: it was sent all the same.
    if (!mark || (mark.excluded && mark.step !== 'rival') || ['read', 'list'].includes(mark.step)) continue;
    const step = `${mark.journey}/${mark.step}`;
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
};

/** The copy of a copy that is in another organization: the reference shows what is there to that organization alone. */
const outOfReach = (allow: string): number => (allow === 'read' || allow === 'execute' ? 0 : 1);

// What is in between leaves out of the last what the others tell.
describe.each(['read', 'delete'] as const)('a plan at --allow %s', (allow) => {
  test('names what is then sent, no more and no less', async () => {
    const [intended, run] = [await usualPlan({ allow }), await usualRun({ allow })];
    const foreseen = planned(intended);
    const tidied = foreseen['sweep/copy-tidied'];
    expect(sent(run)).toEqual({
      ...foreseen,
      ...(tidied !== undefined && { 'sweep/copy-tidied': tidied - outOfReach(allow) }),
    });
    expect(intended.executions).toBe(run.executionsStarted);
    expect(intended.duplicates).toBe(
      run.leftBehind.filter(({ kind }) => kind === 'profile').length + outOfReach(allow),
    );
    // Evidence that a lesser effect yields may judge a rule all the same; nothing else stays untested, beside what runs that
    // are longer than those of the reference would show.
    const untested = run.rules
      .filter(({ id, verdict }) => verdict === 'untested' && id !== 'sync-default-timeout')
      .map(({ id }) => id);
    const foretold = intended.untested.map(({ rule }) => rule);
    expect(untested.filter((id) => !foretold.includes(id))).toEqual([]);
  });
});

test.each([
  { executions: 12, without: 'start/head' },
  { executions: 40, without: 'start/nothing' },
])('a plan names what is sent with a budget of $executions executions', async ({ executions, without }) => {
  const declared = { allow: 'execute', budget: { executions } } as const;
  // How often it is looked at what fills the group depends on how long others take that are refused.
  const { 'capacity/read-held': _, ...steps } = planned(await usualPlan(declared));
  const { 'capacity/read-held': __, ...really } = sent(await usualRun(declared));
  // A second run of what stops is started where the first one goes on by itself: no plan knows that.
  const isStop = (step: string) => /^run-(?:pauses|awaitsConfirmation|pausesByAgent)\//.test(step);
  const others = (all: object) => Object.fromEntries(Object.entries(all).filter(([step]) => !isStop(step)));
  expect(others(really)).toEqual(others(steps));
  expect(Object.keys(steps)).not.toContain(without);
});

test.each(['read', 'delete'] as const)(
  'a plan of an exploration at --allow %s names what is then sent, no more and no less',
  async (allow) => {
    // With room for whatever is made up: a start that one of the two refuses leaves another number of them.
    const target = usualTarget({ ...oneWorkflow, allow, budget: { executions: 400, copies: 60 } });
    const exploration = { requests: 150, seed: 5 };
    const [intended, run] = [
      await plan(target, undefined, exploration),
      await checkInProcess({}, { target, explore: exploration }),
    ];
    const [explored, foretold] = [sent(run), planned(intended)];
    const ofExplore = (counts: Record<string, number>) =>
      Object.fromEntries(Object.entries(counts).filter(([step]) => step.startsWith('explore/')));
    expect(ofExplore(explored)).toEqual(ofExplore(foretold));
    expect(intended.explored?.requests).toBeGreaterThan(allow === 'read' ? 145 : 120);
    expect(intended.duplicates).toBe(
      run.leftBehind.filter(({ kind }) => kind === 'profile').length + outOfReach(allow),
    );
  },
);

test.each([
  { says: 'without a budget', most: 20 + controlSteps.length },
  { says: 'with a large one', budget: { executions: 60 }, most: 45 + controlSteps.length },
])('a full run $says starts at most $most executions and leaves at most 7 copies', async ({ budget, most }) => {
  const { executions, duplicates } = await usualPlan({ ...(budget && { budget }) });
  expect(executions).toBeGreaterThan(most - 3);
  expect(executions).toBeLessThanOrEqual(most);
  expect(duplicates).toBeGreaterThan(0);
  expect(duplicates).toBeLessThanOrEqual(7);
});

test('a plan names what each untested rule would take', async () => {
  const { untested } = await plan(toTarget({ baseUrl: 'http://127.0.0.1:1' }));
  expect(untested.find(({ rule }) => rule === 'profile-name-is-unique')).toEqual({
    rule: 'profile-name-is-unique',
    why: 'To judge it, declare profile, otherProfile and allow write.',
    notSent: ['profile/copy-name-taken', 'profile/copy-abroad-name-taken', 'profile/name-taken'],
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
  expect(steps('deleted-pool-is-gone')).toEqual(['pool/delete-again']);
  expect(steps('no-server-errors')).toEqual(['*']);
  const pool = journeys.find(({ id }) => id === 'pool')?.steps;
  expect(pool?.find(({ step }) => step === 'delete')?.serves).toEqual(['pool-is-deleted']);
  const asked = journeys.flatMap((journey) => journey.steps.flatMap(({ asks }) => asks));
  expect(asked.length).toBeGreaterThan(0);
  expect(gaps.map(({ id }) => id)).toEqual(expect.arrayContaining(asked));
});

test('names the steps that are not sent for what stays untested', async () => {
  const declared = { ...poolAlone, allow: 'write' } as const;
  const { untested } = await usualPlan(declared);
  const { rules } = await usualRun(declared);
  const expected = { why: 'To judge it, allow delete.', notSent: ['pool/delete-again'] };
  expect(untested.find(({ rule }) => rule === 'deleted-pool-is-gone')).toMatchObject(expected);
  expect(rules.find(({ id }) => id === 'deleted-pool-is-gone')).toMatchObject(expected);
});

test('a plan of one rule sends what that rule needs', async () => {
  const planOf = (id: string) => plan(usualTarget(), (rule) => rule.id === id);
  const [inputs, refusal, reading] = [
    await planOf('inputs-are-recorded'),
    await planOf('soft-timeout-minimum'),
    await planOf('unknown-pool-is-404'),
  ];
  expect([inputs.executions, refusal.executions, reading.executions]).toEqual([1, 2, 0]);
  expect(inputs.requests).toBeLessThan(20);
  const whole = await usualPlan();
  expect(refusal.requests).toBeLessThan(whole.requests / 4);
  expect(reading.requests).toBeLessThan(whole.requests / 4);
});

// Each compares two executions, or needs a place that is taken.
test.each(['executions-are-separate', 'urls-are-separate', 'over-capacity-is-queued'])(
  'a run of %s alone judges it',
  async (id) => {
    const { rules } = await checkInProcess({}, { target: usualTarget(), selected: (rule) => rule.id === id });
    expect(rules).toMatchObject([{ id, verdict: 'passed' }]);
  },
);
