import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { listen } from '../support/serve.js';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(...args: string[]) {
  // A run without a key ends before anything is sent.
  const env = { ...process.env, WORKFLOW_API_KEY: 'key-of-nobody' };
  const child = spawn(process.execPath, [inject('command'), ...args], { env });
  children.push(child);
  return child;
}

/** Gathers what a process prints, and gives it with the code or signal that ended it. */
function ended(child: ChildProcess) {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (text) => (stdout += text));
  child.stderr?.on('data', (text) => (stderr += text));
  const exit = once(child, 'close');
  return { so: () => stdout, end: async () => ({ exit: (await exit)[0] ?? (await exit)[1], stdout, stderr }) };
}

it('ends with the exit code of the command', async () => {
  const { exit, stdout, stderr } = await ended(start('rules', 'nonesuch')).end();
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toMatch(/^workflow-contract: .*nonesuch.*\n$/);
});

it('prints no error when the reader of its output closes the pipe', async () => {
  const child = start('rules');
  child.stdout?.destroy();
  const { exit, stderr } = await ended(child).end();
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
});

it('ends the mock without error on a signal', async () => {
  const child = start('mock', '--port', '0');
  const process = ended(child);
  await expect.poll(process.so, { timeout: 20_000 }).toContain('Ctrl-C');
  const [, sample = '', header = '', url = ''] = /(curl -H '(.*)' (http:\S+))/.exec(process.so()) ?? [];
  expect(sample).not.toBe('');
  const [name = '', value = ''] = header.split(': ');
  expect((await fetch(url, { headers: { [name]: value } })).status).toBe(200);
  child.kill('SIGTERM');
  expect(await process.end()).toMatchObject({ exit: 0, stderr: '' });
  await expect(fetch(url)).rejects.toThrow();
});

describe('a run against a service that never answers', () => {
  const silent = createServer(() => {});
  let url: string;
  beforeAll(async () => {
    url = await listen(silent);
  });
  afterAll(() => silent.closeAllConnections());

  const run = async () => {
    const asked = once(silent, 'request');
    const child = start('check', url);
    const output = ended(child);
    await asked;
    return { child, output };
  };

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends on %s, with a report of the results so far',
    async (signal) => {
      const { child, output } = await run();
      child.kill(signal);
      const { exit, stdout } = await output.end();
      expect(exit).toBe(3);
      expect(stdout).toContain('The run was stopped before its end');
    },
  );

  it('ends at once on a second signal, unless both signals arrive together', async () => {
    const { child, output } = await run();
    // npm passes on what the terminal has sent already.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) child.kill(signal);
    const { exit, stdout } = await output.end();
    expect(exit).toBe(3);
    expect(stdout).toContain('The run was stopped before its end');
  });
});
