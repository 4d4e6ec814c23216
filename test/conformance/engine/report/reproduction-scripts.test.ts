import { expect, test } from 'vitest';
import { withScripts } from '../../../../conformance/engine/report/sequence.js';
import type { Violation } from '../../../../conformance/engine/vocabulary.js';
import { findFault } from '../../../../deviations/index.js';
import type { Rule } from '../../../../generated/rules.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { profileIds } from '../../../../reference/fixtures.js';
import { profileAlone } from '../../../support/interrupted.js';
import { hasShell, printed, run, runOn, withShell } from '../../../support/shell.js';
import { type Declared, usualTarget } from '../../../support/usual-run.js';

/** By what a rule is about: the journeys that show it are enough. */
function declaredFor(rule: string): Declared {
  // A declared profile, where the rule is not about copies: what is seen on a copy takes one request more.
  const scratch = { otherProfile: undefined, scratchProfile: profileIds.otherProfile, budget: { copies: 0 } };
  if (/update|cookies/.test(rule)) return { ...profileAlone, ...scratch };
  if (rule.startsWith('duplicate')) return profileAlone;
  return { allow: 'execute' };
}

async function violationsOf(fault: string, rule: string): Promise<readonly Violation[]> {
  // What is sent for others of its topic may show it first.
  const selected = ({ id }: Rule) => id === rule || /pool|queue|capacity/.test(id);
  const target = usualTarget(declaredFor(rule));
  const { rules, evidence } = await checkInProcess({ faults: [fault] }, { target, selected });
  return withScripts(rules, evidence.exchanges).find(({ id }) => id === rule)?.violations ?? [];
}

withShell('what shows a violation of a sequence shows it again, on another service with the same fault', async () => {
  const violations = await violationsOf('agents-change', 'identity-is-constant');
  // The first request made what the others read.
  const again = violations.map((one) => one.again ?? '').find((one) => one.includes('# 1. execute')) ?? '';
  expect(again.match(/^# \d\. \w+/gm)).toEqual(['# 1. execute', '# 2. getExecution', '# 3. getExecution']);

  const output = await printed(again, findFault('agents-change'));
  const agents = [...output.matchAll(/"agentId":"([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(agents).size).toBe(2);
});

test('what one request shows has its curl line alone', async () => {
  const [violation] = await violationsOf('names-are-cut', 'update-applies');
  expect(violation).toMatchObject({ operation: 'updateProfile', count: expect.any(Number) });
  expect(violation?.again).toBeUndefined();
});

test.skipIf(!hasShell).each<[fault: string, rule: string, without: number]>([
  // The group is filled first. Without the fault it answers 429, as it may.
  ['newcomers-overtake-the-queue', 'queue-is-not-overtaken', 2],
  // A word is compared as it is.
  ['trigger-is-manual', 'trigger-is-api', 1],
  ['ended-executions-are-gone', 'files-are-grouped', 1],
  ['updates-are-not-stored', 'update-applies', 1],
  // What it needs to begin with is another thing there.
  ['updates-are-not-stored', 'update-is-atomic', 2],
])('the script of %s for %s ends with 0 where the fault is, and without it with %i', async (fault, rule, without) => {
  const [{ again = '' } = {}] = await violationsOf(fault, rule);
  expect(again).not.toMatch(/^sleep (?:[6-9]|\d\d)/m);
  expect(await runOn(again, [findFault(fault)])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/It was reproduced\.\n$/),
  });
  const { code, output } = await runOn(again, []);
  expect(code, output).toBe(without);
  expect(output).toMatch(without === 1 ? /It was not reproduced\.\n$/ : /It cannot be decided: .*\n$/);
});

withShell('a script cannot tell where the fields that show it are lists, or nobody answers', async () => {
  const [{ again: lists = '' } = {}] = await violationsOf('updates-are-not-stored', 'cookies-are-added');
  expect(await runOn(lists, [findFault('updates-are-not-stored')])).toMatchObject({ code: 2 });
  const { code, output } = await run(lists, { url: 'http://127.0.0.1:1' });
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining('was answered 000') });
});
