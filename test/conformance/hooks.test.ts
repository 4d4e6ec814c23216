import { expect, test } from 'vitest';
import { plan } from '../../conformance/plan.js';
import type { TargetFile } from '../../conformance/suite/target/target.js';
import { createReference } from '../../reference/index.js';
import { hooks, serviceWithOperator as service } from '../support/operator.js';

const { completes, pausesByAgent } = createReference().fixtures.workflows;

/** What every hook has something to do for. */
const narrow = { workflows: { completes, pausesByAgent }, capacity: undefined, profileGroup: undefined };

test('a failing hook is reported and its rules stay untested', async () => {
  const only = (rule: { id: string }) => rule.id.includes('pool') || rule.id === 'duplicate-is-new';
  const target = { workflows: { completes }, hooks: { makePool: 'nothing', deleteCopy: 'nothing' } };
  const { run } = service(target);
  const { rules, remarks, leftBehind } = await run({ selected: only });
  expect(remarks).toContain(
    'hooks.makePool failed: it ended with 1: nothing there. Rules that need a pool were not judged.',
  );
  expect(remarks).toContain('hooks.deleteCopy failed: it ended with 1: nothing there.');
  expect(rules.find(({ id }) => id === 'pool-is-deleted')).toMatchObject({ verdict: 'untested' });
  expect(rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(leftBehind.filter(({ kind }) => kind === 'profile')).not.toEqual([]);
});

test('a hook that does not delete a copy is named, and the copy is left behind', async () => {
  const only = ({ id }: { id: string }) => id === 'duplicate-is-new' || id === 'duplicate-into-organization';
  const { run, called } = service({ workflows: {}, capacity: undefined, hooks: { deleteCopy: 'echo deleted' } });
  const runHook = async (command: string) => {
    called.push(command);
    return { printed: 'deleted' };
  };
  const { remarks, leftBehind } = await run({ selected: only, runHook });
  const copies = leftBehind.filter(({ kind }) => kind === 'profile');
  expect(copies).toHaveLength(called.length);
  expect(copies.length).toBeGreaterThan(2);
  expect(remarks.filter((text) => text.startsWith('hooks.deleteCopy failed: the copy'))).toHaveLength(called.length);
});

test.each([
  ['no id', 'a pool', 'it printed no id. Rules that need a pool were not judged.'],
  ['nothing', '', 'it printed no id. Rules that need a pool were not judged.'],
])('a hook that prints %s is reported as failed', async (_, printed, why) => {
  const { run } = service({ allow: 'delete', workflows: {}, profile: undefined, hooks: { makePool: 'x' } });
  const { remarks } = await run({ runHook: async () => ({ printed }) });
  expect(remarks).toContain(`hooks.makePool failed: ${why}`);
});

test.each<[TargetFile['allow'], readonly string[]]>([
  ['read', []],
  ['execute', ['makeTempFile', 'cancelExecution']],
  ['delete', ['makePool', 'makeTempFile', 'cancelExecution', 'deleteCopy']],
])('at --allow %s the plan names the hooks %j', async (allow, want) => {
  const { target } = service({ ...narrow, hooks, tempFile: undefined, ...(allow && { allow }) });
  const { hooks: planned = [], leavesBehind } = await plan(target);
  expect(planned.map(({ hook }) => hook)).toEqual(want);
  expect(leavesBehind.filter((left) => /^(profile|execution):/.test(left))).toEqual([]);
});

test('a hook that no selected rule needs is not run', async () => {
  const { run, called } = service({ hooks: { makePool: hooks.makePool }, workflows: {}, profile: undefined });
  await run({ selected: ({ id }) => id === 'missing-key-is-401' });
  expect(called).toEqual([]);
});
