import { expect, test } from 'vitest';
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
