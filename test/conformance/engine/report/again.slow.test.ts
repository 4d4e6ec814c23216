import { expect, test } from 'vitest';
import { withScripts } from '../../../../conformance/engine/report/again.js';
import type { Violation } from '../../../../conformance/engine/vocabulary.js';
import { findFault } from '../../../../deviations/index.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { printed, withShell } from '../../../support/shell.js';

async function violationsOf(fault: string, rule: string): Promise<readonly Violation[]> {
  const { rules, evidence } = await checkInProcess({ faults: [findFault(fault)] });
  return withScripts(rules, evidence.exchanges).find(({ id }) => id === rule)?.violations ?? [];
}

withShell('what shows a violation of a sequence shows it again, on another service with the same fault', async () => {
  const [violation] = await violationsOf('agents-change', 'identity-is-constant');
  const { again = '' } = violation ?? {};
  // The first request made what the others read.
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
