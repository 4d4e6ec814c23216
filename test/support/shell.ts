import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type Fault, startReference } from '../../deviations/index.js';
import { VirtualClock } from '../../proof/virtual-clock.js';
import { keys, type Reference } from '../../reference/index.js';

/** Tests that run a script need a shell and curl, which not every machine has. */
export const hasShell = spawnSync('sh', ['-c', 'curl --version']).status === 0;
export const withShell = test.skipIf(!hasShell);

/** Runs a script of curl commands against another service than it was recorded on. */
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

/** The output of a script that reproduces a violation, against a service with this fault. */
export async function printed(script: string, fault: Fault): Promise<string> {
  const { code, output } = await runOn(script, [fault]);
  expect(code, output).toBe(0);
  return output;
}

/** After so long without a pause, the script waits for an answer. */
const quietMs = 3000;

/**
 * Runs a script against a service with faults. Time passes only while the script sleeps, or waits long for an answer: on a
 * busy machine, executions would otherwise end before the script reads them.
 */
export async function runOn(script: string, faults: readonly Fault[]) {
  const clock = new VirtualClock();
  const faulty = await startReference({ faults, clock });
  let passed: Promise<void> = Promise.resolve();
  let sleptAt = performance.now();
  const pass = (ms: number) => {
    passed = passed.then(() => clock.run(clock.sleep(ms)));
    return passed;
  };
  const time = createServer(async (request, response) => {
    await pass(Number(request.url?.slice(1)) * 1000);
    sleptAt = performance.now();
    response.end();
  });
  const whileQuiet = setInterval(() => performance.now() - sleptAt > quietMs && pass(1000), 100);
  await once(time.listen(0, '127.0.0.1'), 'listening');
  const sleep = `sleep() { curl -s "http://127.0.0.1:${(time.address() as AddressInfo).port}/$1"; }`;
  const ended = await run(`${sleep}\n${script}`, faulty);
  clearInterval(whileQuiet);
  time.close();
  await faulty.close();
  return ended;
}
