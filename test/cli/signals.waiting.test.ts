import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, type TestContext, test } from 'vitest';
import { startReference } from '../../reference/index.js';

/** A reference service and a folder of its own for each test, so that they wait at the same time. */
async function stage({ onTestFinished }: TestContext, latencyMs = 0, patienceSeconds = 60) {
  const folder = await mkdtemp(join(tmpdir(), 'signals-'));
  const reference = await startReference({ latencyMs });
  const { baseUrl, apiKeys, profile: id } = reference.fixtures;
  const target = join(folder, 'target.yaml');
  const declared = { baseUrl, apiKeys, profile: id, allow: 'write', pace: { patienceSeconds } };
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

  async function profile(of = id): Promise<Record<string, unknown>> {
    const response = await fetch(`${reference.url}/agents/v2/agent-profiles/${of}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-service-agents-api-key': reference.keys.full },
      body: '{}',
    });
    const { updatedAt, ...shown } = (await response.json()) as Record<string, unknown>;
    return shown;
  }

  /** The ids of the copies that runs wrote down. */
  async function copies(): Promise<string[]> {
    const state = join(folder, 'workflow-contract');
    const files = existsSync(state) ? (await readdir(state)).filter((name) => name.startsWith('copies-')) : [];
    const lists = await Promise.all(files.map((name) => readFile(join(state, name), 'utf8')));
    return lists.flatMap((text) => JSON.parse(text).copies.map(({ id: copy }: { id: string }) => copy));
  }

  return { folder, baseUrl, start, profile, copies };
}

/** Updates copies of the profile. */
const check = ['check', '--only', 'update-is-partial'];

/** A run that has made a copy by now, and slow enough for a signal to come in its middle. */
async function running(context: TestContext, patienceSeconds?: number) {
  const staged = await stage(context, 40, patienceSeconds);
  const before = await staged.profile();
  const run = staged.start(check);
  await expect.poll(staged.copies, { timeout: 120_000, interval: 50 }).not.toEqual([]);
  return { ...staged, before, ...run };
}

// The other signals do the same: main.waiting.test.ts.
test.concurrent('SIGINT ends a run without error, with its copies emptied', async (context) => {
  const { profile, copies, before, child, end } = await running(context);
  child.kill('SIGINT');
  const { exit, output } = await end();
  expect(exit, output).toEqual([3, null]);
  expect(output).toMatch(/The\s+run\s+was\s+stopped\s+before\s+its\s+end/);
  expect(await profile()).toEqual(before);
  for (const id of await copies()) expect(await profile(id)).toMatchObject({ cookies: [], credentials: [] });
});

test.concurrent.for([0, 150, 600, 1500])(
  'a run that SIGKILL ends %d ms after its first copy leaves the profile as it was, and the next run empties the copies',
  async (ms, context) => {
    const { profile, copies, before, child, end, start } = await running(context);
    await setTimeout(ms);
    child.kill('SIGKILL');
    await end();
    expect(await profile()).toEqual(before);
    const left = await copies();
    const { exit, output } = await start(check).end();
    expect(exit, output).toEqual([0, null]);
    for (const id of left) {
      expect(output).toContain(id);
      expect(await profile(id)).toMatchObject({ cookies: [], credentials: [] });
    }
    expect((await copies()).length).toBeLessThanOrEqual(5);
    expect(await profile()).toEqual(before);
  },
);

test.concurrent('a second run on the same profile, by another address, reports it, waits, and causes no violation', async (context) => {
  const { baseUrl, start, profile, before, end } = await running(context);
  const second = start([...check, baseUrl.replace('127.0.0.1', 'localhost')]);
  const ended = await Promise.all([end(), second.end()]);
  expect(ended[1]?.output).toContain('waiting until it ends');
  for (const { exit, output } of ended) {
    expect(exit, output).toEqual([expect.toBeOneOf([0, 3]), null]);
    expect(output).not.toMatch(/^Broken/m);
  }
  expect(await profile()).toEqual(before);
});

test
  .runIf(existsSync('/dev/full'))
  .concurrent('a full disk under standard output does not end a run early', async (context) => {
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
