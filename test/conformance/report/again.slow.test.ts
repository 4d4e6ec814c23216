import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { withScripts } from '../../../conformance/report/again.js';
import type { Violation } from '../../../conformance/vocabulary.js';
import { findFault, startReference } from '../../../deviations/index.js';
import { checkInProcess } from '../../../proof/in-process.js';
import { keys } from '../../../reference/index.js';

// Only a shell and curl show that a script runs, and not every machine has them.
const sent = test.skipIf(spawnSync('sh', ['-c', 'curl --version']).status !== 0);

async function violationsOf(fault: string, rule: string): Promise<readonly Violation[]> {
  const { rules, evidence } = await checkInProcess({ faults: [findFault(fault)] });
  return withScripts(rules, evidence.exchanges).find(({ id }) => id === rule)?.violations ?? [];
}

sent('what shows a violation of a sequence shows it again, on another service with the same fault', async () => {
  const [violation] = await violationsOf('agents-change', 'identity-is-constant');
  const { again = '' } = violation ?? {};
  // The first request made what the others read.
  expect(again.match(/^# \d\. \w+/gm)).toEqual(['# 1. execute', '# 2. getExecution', '# 3. getExecution']);

  const faulty = await startReference({ faults: [findFault('agents-change')] });
  const sh = spawn('sh', ['-s'], {
    env: { PATH: process.env.PATH, NO_PROXY: '*', BASE_URL: faulty.url, WORKFLOW_API_KEY: keys.full },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  sh.stdin.end(again);
  const [output, [code]] = await Promise.all([text(sh.stdout), once(sh, 'close')]);
  await faulty.close();
  expect(code, output).toBe(0);
  const agents = [...output.matchAll(/"agentId":"([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(agents).size).toBe(2);
});

test('what one request shows has its curl line alone', async () => {
  const [violation] = await violationsOf('names-are-cut', 'update-applies');
  expect(violation).toMatchObject({ operation: 'updateProfile', count: expect.any(Number) });
  expect(violation?.again).toBeUndefined();
});
