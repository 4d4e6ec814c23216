import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type Fault, startReference } from '../../deviations/index.js';
import { keys, type Reference } from '../../reference/index.js';

/** A test that runs a script: only a shell and curl show that it runs, and not every machine has them. */
export const withShell = test.skipIf(spawnSync('sh', ['-c', 'curl --version']).status !== 0);

/** Runs a script of curl lines against a service, which is another one than it was recorded on. */
export async function run(
  script: string,
  { url }: Pick<Reference, 'url'>,
): Promise<{ code: number | null; output: string }> {
  const sh = spawn('sh', ['-s'], {
    env: { PATH: process.env.PATH, NO_PROXY: '*', BASE_URL: url, WORKFLOW_API_KEY: keys.full },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  sh.stdin.end(script);
  const [output, [code]] = await Promise.all([text(sh.stdout), once(sh, 'close')]);
  return { code, output };
}

/** What a script prints that runs to its end against a service with a fault. */
export async function printed(script: string, fault: Fault): Promise<string> {
  const faulty = await startReference({ faults: [fault] });
  const { code, output } = await run(script, faulty);
  await faulty.close();
  expect(code, output).toBe(0);
  return output;
}
