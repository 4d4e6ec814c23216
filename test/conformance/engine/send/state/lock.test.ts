import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { acquireLocks } from '../../../../../conformance/engine/send/known-copies.js';
import { temporaryFolder } from '../../../../support/folder.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const never = new AbortController().signal;
const nobody = () => {};
/** As files are of runs that beat no more. */
const age = async (only?: string) => {
  for (const name of only ? [only] : await readdir(folder)) await utimes(join(folder, name), new Date(0), new Date(0));
};

test('a second run waits for the first one, reports that once, and continues when it has ended', async () => {
  const told: string[] = [];
  const first = await acquireLocks(folder, ['a profile', 'a group'], never, nobody);
  const second = acquireLocks(folder, ['a group'], never, (holder) => {
    told.push(holder);
    void first?.();
  });
  const release = await second;
  expect(told).toEqual([expect.stringContaining(`process ${process.pid} on ${hostname()}`)]);
  await release?.();
  expect(await readdir(folder)).toEqual([]);
});

test('runs on other resources do not wait', async () => {
  const first = await acquireLocks(folder, ['a profile'], never, nobody);
  const second = await acquireLocks(folder, ['another profile'], never, nobody);
  expect(first && second).toBeDefined();
  await Promise.all([first?.(), second?.()]);
});

test('a signal ends the wait', async () => {
  const first = await acquireLocks(folder, ['a profile'], never, nobody);
  const stop = new AbortController();
  const second = await acquireLocks(folder, ['b', 'a profile'], stop.signal, () => stop.abort());
  expect(second).toBeUndefined();
  await first?.();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  [
    'whose process has ended',
    async (file: string) => {
      const holder = JSON.parse(await readFile(file, 'utf8')) as object;
      await writeFile(file, JSON.stringify({ ...holder, pid: 2 ** 22 + 1 }));
    },
  ],
  ['that no longer renews its lock', (file: string) => utimes(file, new Date(0), new Date(0))],
])('a run %s holds no lock', async (_, die) => {
  await acquireLocks(folder, ['a profile'], never, nobody);
  for (const name of await readdir(folder)) await die(join(folder, name));
  const release = await acquireLocks(folder, ['a profile'], never, nobody);
  expect(release).toBeDefined();
  await release?.();
});

test('of many runs that find an abandoned lock, one holds it at a time', async () => {
  await acquireLocks(folder, ['a profile'], never, nobody);
  await age();
  let holding = 0;
  const most: number[] = [];
  const run = async (_: unknown, place: number) => {
    await delay(20 * place);
    const release = await acquireLocks(folder, ['a profile'], new AbortController().signal, nobody);
    holding += 1;
    most.push(holding);
    await delay(5);
    holding -= 1;
    await release?.();
  };
  await Promise.all(Array.from({ length: 12 }, run));
  expect(most).toEqual(Array(12).fill(1));
  expect(await readdir(folder)).toEqual([]);
});

test('an abandoned lock is removed by one run at a time, and by another if that one was killed', async () => {
  await acquireLocks(folder, ['a profile'], never, nobody);
  const [name = ''] = await readdir(folder);
  const clearing = join(folder, `${name}.clearing`);
  await writeFile(clearing, await readFile(join(folder, name)));
  await age(name);
  let isHeld = false;
  const second = acquireLocks(folder, ['a profile'], never, nobody).then((release) => {
    isHeld = true;
    return release;
  });
  await delay(600);
  expect(isHeld).toBe(false);
  await age(`${name}.clearing`);
  await (await second)?.();
  expect(await readdir(folder)).toEqual([]);
});

test('a run does not release a lock that another run has acquired', async () => {
  const first = await acquireLocks(folder, ['a profile'], never, nobody);
  await age();
  const second = await acquireLocks(folder, ['a profile'], never, nobody);
  await first?.();
  expect(await readdir(folder)).toHaveLength(1);
  await second?.();
  expect(await readdir(folder)).toEqual([]);
});
