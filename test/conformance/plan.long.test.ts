import { expect, test } from 'vitest';
import { derivedSteps } from '../../conformance/suite/executions/roles.js';
import { planned, sent } from '../support/planned.js';
import { type Declared, oneWorkflow, usualPlan, usualRun } from '../support/usual-run.js';

/** What a run may show by chance, or by what its target happens to be, which no plan can know. */
const byChance = {
  /** Shown by a reading that came early, by refusals, or by runs that do more than they are declared for. */
  more: [
    'live-view-not-before-start',
    'profile-excludes-group',
    'standard-error-parameter',
    'optional-fields-are-not-null',
    'deprecated-fields-still-work',
    'files-belong-to-execution',
    'files-are-listed-once',
  ],
  /** Shown by runs that are longer than those of the reference, or by a profile that was never changed. */
  less: ['sync-default-timeout', 'inbox-default-prefix'],
};

test.each<Declared>([
  { budget: { executions: 0 } },
  { budget: { executions: 0 }, execution: undefined },
  { budget: { executions: 4 } },
  { budget: { executions: 12 } },
  { budget: { executions: 12, places: 2 } },
  { budget: { copies: 0 } },
  { allow: 'read' },
  { allow: 'read', execution: undefined },
  oneWorkflow,
])('a plan with %j calls those rules untested that the run leaves untested', async (declared) => {
  const foretold = (await usualPlan(declared)).untested.map(({ rule }) => rule);
  const untested = (await usualRun(declared)).rules.filter(({ verdict }) => verdict === 'untested').map(({ id }) => id);
  expect(foretold.filter((rule) => !untested.includes(rule) && !byChance.more.includes(rule))).toEqual([]);
  expect(untested.filter((rule) => !foretold.includes(rule) && !byChance.less.includes(rule))).toEqual([]);
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

test.each([
  { says: 'without a budget', most: 23 + derivedSteps.length },
  { says: 'with a large one', budget: { executions: 60 }, most: 45 + derivedSteps.length },
])('a full run $says starts at most $most executions and leaves at most 7 copies', async ({ budget, most }) => {
  const { executions, duplicates } = await usualPlan({ ...(budget && { budget }) });
  expect(executions).toBeGreaterThan(most - 3);
  expect(executions).toBeLessThanOrEqual(most);
  expect(duplicates).toBeGreaterThan(0);
  expect(duplicates).toBeLessThanOrEqual(7);
});
