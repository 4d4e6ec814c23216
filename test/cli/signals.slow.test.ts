import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type Reference, startReference } from '../../reference/index.js';

let folder: string;
let reference: Reference;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signals-'));
  // Slow enough for a signal to come in the middle.
  reference = await startReference({ latencyMs: 40 });
  const { baseUrl, apiKeys, profile } = reference.target;
  await writeFile(join(folder, 'target.yaml'), JSON.stringify({ baseUrl, apiKeys, profile, allow: 'write' }));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await reference.close();
  await rm(folder, { recursive: true });
});

function command(...args: string[]) {
  const env = { ...process.env, XDG_STATE_HOME: folder, FORCE_COLOR: '0' };
  const child = spawn(process.execPath, [inject('command'), ...args, '--target', join(folder, 'target.yaml')], {
    env,
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return { child, end: async () => ({ exit: await closed, output }) };
}

async function profile(): Promise<Record<string, unknown>> {
  const response = await fetch(`${reference.url}/agents/v2/agent-profiles/${reference.target.profile}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-service-agents-api-key': reference.keys.full },
    body: '{}',
  });
  const { updatedAt, ...shown } = (await response.json()) as Record<string, unknown>;
  return shown;
}

/** A run that has changed the profile by now. */
async function running() {
  const before = await profile();
  const run = command('check');
  await expect.poll(profile, { timeout: 120_000, interval: 20 }).not.toEqual(before);
  return { before, ...run };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends a run in order, with the profile as it was',
  async (signal) => {
    const { before, child, end } = await running();
    child.kill(signal);
    const { exit, output } = await end();
    expect(exit, output).toEqual([3, null]);
    expect(output).toMatch(/The\s+run\s+was\s+stopped\s+before\s+its\s+end/);
    expect(await profile()).toEqual(before);
    expect(await readdir(join(folder, 'workflow-contract'))).toEqual([]);
  },
);

test('what a killed run left changed is put back by `restore`', async () => {
  const { before, child, end } = await running();
  child.kill('SIGKILL');
  await end();
  expect(await profile()).not.toEqual(before);
  const { exit, output } = await command('restore').end();
  expect(exit, output).toEqual([0, null]);
  expect(output).toContain(`The profile ${reference.target.profile} is as it was.`);
  expect(await profile()).toEqual(before);
});

test('a second run on the same profile says so, waits, and raises no alarm', async () => {
  const { before, end } = await running();
  const [first, second] = await Promise.all([end(), command('check').end()]);
  expect(second.output).toContain('this one waits until it is over');
  for (const { exit, output } of [first, second]) {
    expect(exit, output).toEqual([expect.toBeOneOf([0, 3]), null]);
    expect(output).not.toMatch(/^Broken/m);
  }
  expect(await profile()).toEqual(before);
});

test.runIf(existsSync('/dev/full'))(
  'a full disk under what it prints ends no run before its end',
  async () => {
    const before = await profile();
    const report = join(folder, 'report.json');
    const full = openSync('/dev/full', 'w');
    const args = ['check', '--target', join(folder, 'target.yaml'), '--report', `json=${report}`];
    const env = { ...process.env, XDG_STATE_HOME: folder };
    const child = spawn(process.execPath, [inject('command'), ...args], { env, stdio: ['ignore', full, full] });
    children.push(child);
    const [exitCode] = (await once(child, 'close')) as [number | null];
    closeSync(full);
    expect(exitCode).toBe(2);
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ verdict: 'conformant' });
    expect(await profile()).toEqual(before);
  },
  60_000,
);
