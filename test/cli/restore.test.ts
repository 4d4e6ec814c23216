import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fileJournal } from '../../conformance/engine/send/journal/file-journal.js';
import { stateFolder } from '../../conformance/engine/settings/base-url.js';
import { temporaryFolder } from '../support/folder.js';
import { cli } from './support.js';

let home: string;
const folder = () => stateFolder({ XDG_STATE_HOME: home });
const restore = (...args: string[]) => cli(['restore', ...args], { XDG_STATE_HOME: home, WORKFLOW_API_KEY: 'a-key' });
beforeEach(() => {
  home = temporaryFolder();
});

const [gone, profile] = ['http://127.0.0.1:9', '00000000-0000-4000-8000-000000000001'];
const leaveChanged = (baseUrl: string) =>
  fileJournal(folder(), expect.unreachable).writeProfile({
    baseUrl,
    profile,
    startedAt: '2026-01-01T00:00:00.000Z',
    original: { name: 'as it was' },
    touched: ['name'],
    added: { cookies: [], credentials: [] },
    tries: 0,
  });

test('where nothing is remembered, nothing is left changed', async () => {
  expect(await restore()).toEqual({ exitCode: 0, stdout: 'Nothing is left changed.\n', stderr: '' });
});

test('what is left changed is listed, and is no success', async () => {
  await leaveChanged(gone);
  const { exitCode, stdout } = await restore();
  expect(exitCode).toBe(3);
  expect(stdout).toContain(`${gone}: the run of 2026-01-01T00:00:00.000Z left the profile ${profile} changed.`);
});

test('copies of a run that was killed are listed, and can be forgotten', async () => {
  const [copy, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
  const journal = fileJournal(folder(), expect.unreachable);
  await journal.writeCopies({
    baseUrl: gone,
    profile,
    copies: [copy, other],
    untidied: [{ id: copy, description: '' }],
  });
  const { exitCode, stdout } = await restore();
  expect(exitCode).toBe(3);
  expect(stdout).toContain(
    `copies of the profile ${profile} with its cookies and credentials: ${copy}.\nTo put it back`,
  );
  const tried = await restore(gone, '--quiet');
  expect(tried.exitCode).toBe(3);
  expect(tried.stdout).toContain(`The copy ${copy} could not be reached.`);
  expect((await restore(gone, '--forget')).exitCode).toBe(0);
  expect(await restore()).toEqual({ exitCode: 0, stdout: 'Nothing is left changed.\n', stderr: '' });
});

test('of a service that is gone it can be forgotten, and of that one alone', async () => {
  await leaveChanged(gone);
  await leaveChanged('https://a.example');
  expect(await restore(gone, '--forget')).toEqual({
    exitCode: 0,
    stdout: `The journal entry of the profile ${profile} is removed.\n`,
    stderr: '',
  });
  expect((await restore()).stdout).toMatch(/^https:\/\/a\.example: .* changed\.\nTo put it back/);
  expect((await restore(gone, '--forget')).stdout).toBe(`Nothing was left changed at ${gone}.\n`);
});

test.each([
  ['a folder that is none', () => writeFile(folder(), '')],
  [
    'an entry that was cut off',
    async () => {
      await leaveChanged(gone);
      for (const name of await readdir(folder())) await writeFile(join(folder(), name), '');
    },
  ],
  ['an entry that is a folder', () => mkdir(join(folder(), `profile-${'0'.repeat(32)}.json`), { recursive: true })],
])('of %s nobody says that nothing is left changed', async (_, make) => {
  await make();
  const { exitCode, stdout, stderr } = await restore();
  expect(exitCode).toBe(3);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/cannot be read \(.+\), so it is unknown whether an earlier run left something changed\.\n$/);
});
