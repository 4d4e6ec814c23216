import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, type TestContext, test } from 'vitest';
import { startReference } from '../../reference/index.js';

/** A reference service and a folder of its own for each test, so that they wait at the same time. */
async function stage({ onTestFinished }: TestContext, latencyMs = 0, patienceSeconds = 60) {
  const folder = await mkdtemp(join(tmpdir(), 'signals-'));
  const reference = await startReference({ latencyMs });
  const { baseUrl, apiKeys, profile: id } = reference.fixtures;
  const target = join(folder, 'target.yaml');
  // No copy can be changed in its place.
  const declared = { baseUrl, apiKeys, profile: id, allow: 'write', budget: { copies: 0 }, pace: { patienceSeconds } };
  await writeFile(target, JSON.stringify(declared));
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await reference.close();
    await rm(folder, { recursive: true });
  });

  function start(args: string[], stdio: StdioOptions = 'pipe') {
    const env = { ...process.env, XDG_STATE_HOME: folder, FORCE_COLOR: '0' };
    const child = spawn(process.execPath, [inject('command'), ...args, '--target', target], { env, stdio });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    return { child, end: async () => ({ exit: await closed, output }) };
  }

  async function profile(): Promise<Record<string, unknown>> {
    const response = await fetch(`${reference.url}/agents/v2/agent-profiles/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-service-agents-api-key': reference.keys.full },
      body: '{}',
    });
    const { updatedAt, ...shown } = (await response.json()) as Record<string, unknown>;
    return shown;
  }

  return { folder, id, baseUrl, start, profile, goAway: () => reference.close() };
}

/** Changes the profile, and judges what somebody else would break by changing it meanwhile. */
const check = ['check', '--only', 'update-is-partial'];

/** A run that has changed the profile by now, and slow enough for a signal to come in its middle. */
async function running(context: TestContext, patienceSeconds?: number) {
  const staged = await stage(context, 40, patienceSeconds);
  const before = await staged.profile();
  const run = staged.start(check);
  await expect.poll(staged.profile, { timeout: 120_000, interval: 100 }).not.toEqual(before);
  return { ...staged, before, ...run };
}

// The other signals do the same: main.waiting.test.ts.
test.concurrent('SIGINT ends a run in order, with the profile as it was', async (context) => {
  const { folder, profile, before, child, end } = await running(context);
  child.kill('SIGINT');
  const { exit, output } = await end();
  expect(exit, output).toEqual([3, null]);
  expect(output).toMatch(/The\s+run\s+was\s+stopped\s+before\s+its\s+end/);
  expect(await profile()).toEqual(before);
  expect(await readdir(join(folder, 'workflow-contract'))).toEqual([]);
});

test.concurrent('what a killed run left changed is put back by `restore`', async (context) => {
  const { id, start, profile, before, child, end } = await running(context);
  child.kill('SIGKILL');
  await end();
  expect(await profile()).not.toEqual(before);
  const { exit, output } = await start(['restore']).end();
  expect(exit, output).toEqual([0, null]);
  expect(output).toContain(`The profile ${id} is as it was.`);
  expect(await profile()).toEqual(before);
});

test.concurrent('a second run on the same profile, by another address, and `restore` say so, wait, and raise no alarm', async (context) => {
  const { baseUrl, start, profile, before, end } = await running(context);
  const second = start([...check, baseUrl.replace('127.0.0.1', 'localhost')]);
  const ended = await Promise.all([end(), second.end(), start(['restore']).end()]);
  const [, ...others] = ended;
  for (const { output } of others) expect(output).toContain('waiting until it ends');
  expect(others.at(-1)?.output).toContain('Nothing is left changed');
  for (const { exit, output } of ended) {
    expect(exit, output).toEqual([expect.toBeOneOf([0, 3]), null]);
    expect(output).not.toMatch(/^Broken/m);
  }
  expect(await profile()).toEqual(before);
});

test.concurrent('what cannot be put back, as the service is gone, is told with the reason and the way out', async (context) => {
  const { goAway, start, child, end } = await running(context, 2);
  await goAway();
  child.kill('SIGINT');
  const run = await end();
  const restored = await start(['restore', '--quiet']).end();
  for (const { exit, output } of [run, restored]) {
    expect(exit, output).toEqual([expect.toBeOneOf([3, 4]), null]);
    expect(output.replaceAll(/\s+/g, ' ')).toMatch(/could not be read \(.*Nothing listens at .*ECONNREFUSED\)/);
    expect(output).toMatch(/tries again|to try again/);
  }
});

test
  .runIf(existsSync('/dev/full'))
  .concurrent('a full disk under what it prints ends no run before its end', async (context) => {
    const { folder, start, profile } = await stage(context);
    const before = await profile();
    const report = join(folder, 'report.json');
    const full = openSync('/dev/full', 'w');
    const { exit } = await start([...check, '--report', `json=${report}`], ['ignore', full, full]).end();
    closeSync(full);
    expect(exit).toEqual([2, null]);
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ verdict: 'conformant' });
    expect(await profile()).toEqual(before);
  });
