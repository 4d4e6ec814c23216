import { expect, test } from 'vitest';
import { type Rule, rules as register } from '../../generated/rules.js';
import { checkInProcess } from '../../proof/in-process.js';
import { profileAlone } from '../support/interrupted.js';
import { type Declared, isHeldBack, oneWorkflow, startsAlone, usualFile, usualTarget } from '../support/usual-run.js';

const nobodys = 'deadbeef-0000-4000-8000-00000000beef';
const noVersion = 4711;
const { workflows, capacity } = usualFile;

/** What a profile is asked to become tells nothing of the others, and is half of a run. */
const withoutProfile = { profile: undefined } as const;

/** A workflow, beside what fills a group. */
const filling = { allow: 'execute', workflows: { completes: workflows.completes } } as const;

/** What is declared otherwise than of the reference service: things that are not there, by their names. */
const mistakes: Readonly<Record<string, Declared>> = {
  'workflows.completes': { ...startsAlone, workflows: { ...workflows, completes: nobodys } },
  // Without more of them they are not started at all.
  'publishedVersion, tempFile, workflows.fails, workflows.pausesByAgent, workflows.slow, workflows.variantMode': {
    ...startsAlone,
    workflows: { ...workflows, fails: nobodys, pausesByAgent: nobodys, slow: nobodys, variantMode: nobodys },
    publishedVersion: noVersion,
    tempFile: { id: nobodys, name: 'statement.pdf' },
    budget: { executions: 60 },
  },
  'capacity.workflow': { ...filling, capacity: { ...capacity, workflow: nobodys } },
  'capacity.profileGroup': { ...filling, capacity: { ...capacity, profileGroup: nobodys } },
  profileGroup: { ...withoutProfile, profileGroup: nobodys, capacity: undefined },
  profile: { ...oneWorkflow, profile: nobodys },
  otherOrganization: { ...profileAlone, otherOrganization: nobodys },
  scratchProfile: { ...profileAlone, scratchProfile: nobodys },
};

test.for(Object.entries(mistakes))(
  'if %s does not exist, no rule is violated because of it, and the report names it and nothing else',
  async ([names, wrong]) => {
    const { rules, remarks } = await checkInProcess({}, { target: usualTarget(wrong) });
    expect(rules.flatMap(({ id, verdict, why }) => (verdict === 'violated' ? `${id}: ${why}` : []))).toEqual([]);
    const told = names.split(', ').map((name) => {
      const value = name === 'publishedVersion' ? noVersion : nobodys;
      return expect.stringContaining(`${name} of the target file (${value}) does not exist`);
    });
    expect(remarks.filter((one) => !isHeldBack(one)).toSorted()).toEqual(told);
    const needing = register.filter(({ needs }: Rule) =>
      needs.some((need) => need.split('|').every((one) => names.split(', ').some((name) => name.startsWith(one)))),
    );
    const unnamed = rules.filter(
      ({ id, why }) => needing.some((one) => one.id === id) && !/^$|To judge it, (?!run)/.test(why),
    );
    expect(unnamed.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  },
);

test('if the service does not know the restricted key, the report names it', async () => {
  const { restricted } = usualFile.apiKeys;
  const apiKeys = { ...usualFile.apiKeys, restricted: { ...restricted, key: 'a-key-that-expired-long-ago' } };
  const { rules, remarks } = await checkInProcess({}, { target: usualTarget({ ...startsAlone, apiKeys }) });
  expect(rules.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : []))).toEqual([
    'insufficient-permission-is-403',
  ]);
  expect(remarks.filter((one) => !isHeldBack(one))).toEqual([
    expect.stringMatching(
      /^All \d+ requests with the restricted key got 401, .* apiKeys\.restricted in the target file/,
    ),
  ]);
});

test('if workflows.slow ends at once, rules that need it or a group name it', async () => {
  const workflows = { ...usualFile.workflows, slow: usualFile.workflows.completes };
  const { rules } = await checkInProcess({}, { target: usualTarget({ ...startsAlone, workflows }) });
  expect(rules.find(({ id }) => id === 'sync-202-keeps-running')).toMatchObject({
    verdict: 'untested',
    why: expect.stringMatching(/^To judge it, declare a workflows\.slow that runs for longer than /),
  });
});
