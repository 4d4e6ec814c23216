import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fileJournal } from '../../../../../conformance/engine/send/journal/file-journal.js';
import type { ProfileEntry } from '../../../../../conformance/engine/send/journal/journal.js';
import { stateFolder } from '../../../../../conformance/engine/settings/base-url.js';
import { temporaryFolder } from '../../../../support/folder.js';

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

const entry: ProfileEntry = {
  baseUrl: 'https://a.example',
  profile: '00000000-0000-4000-8000-000000000001',
  startedAt: '2026-01-01T00:00:00.000Z',
  original: { name: 'as it was' },
  touched: ['name'],
  added: { cookies: [], credentials: [] },
  tries: 0,
};

test('keeps what a profile was for its user alone, until it is put back', async () => {
  const folder = stateFolder({ XDG_STATE_HOME: home });
  const journal = fileJournal(folder, expect.unreachable);
  await journal.writeProfile(entry);
  await journal.writeProfile({ ...entry, tries: 1 });
  const [file, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect((await stat(join(folder, file ?? ''))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await journal.profiles(entry.baseUrl)).toEqual([{ ...entry, tries: 1 }]);
  expect(await journal.profiles('https://b.example')).toEqual([]);
  await journal.forgetProfile(entry.baseUrl, entry.profile);
  expect(await readdir(folder)).toEqual([]);
});

test('knows a service by whatever way its address is written', async () => {
  const folder = stateFolder({ XDG_STATE_HOME: home });
  const journal = fileJournal(folder, expect.unreachable);
  const here = { ...entry, baseUrl: 'http://localhost:4010' };
  await journal.writeProfile(here);
  expect(await journal.profiles('http://127.0.0.1:4010/')).toEqual([here]);
  expect(await journal.profiles('http://127.0.0.1:4011')).toEqual([]);
  await journal.forgetProfile('HTTP://[::1]:4010', entry.profile);
  expect(await readdir(folder)).toEqual([]);
});

test('keeps which copies runs made, for each service and profile by itself', async () => {
  const folder = stateFolder({ XDG_STATE_HOME: home });
  const journal = fileJournal(folder, expect.unreachable);
  const { baseUrl, profile } = entry;
  const copies = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
  const made = { baseUrl, profile, copies, untidied: [{ id: String(copies[0]), description: 'as it was' }] };
  const ofAnother = { ...made, profile: '00000000-0000-4000-8000-000000000002', copies: [], untidied: [] };
  expect(await journal.copies(baseUrl)).toEqual([]);
  await journal.writeCopies(made);
  expect(await journal.copies(baseUrl)).toEqual([made]);
  expect(await journal.copies('https://b.example')).toEqual([]);
  // They are nothing to put back.
  expect(await journal.profiles(baseUrl)).toEqual([]);
  const [file = ''] = await readdir(folder);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  await journal.writeCopies(ofAnother);
  expect(await journal.copies(baseUrl)).toHaveLength(2);
  expect(await journal.copies('')).toHaveLength(2);
  // As an earlier version wrote it, and with what is no id.
  await writeFile(join(folder, file), JSON.stringify({ baseUrl, profile, copies: [1, '../x', copies[0]] }));
  expect(await journal.copies(baseUrl)).toContainEqual({ ...made, copies: copies.slice(0, 1), untidied: [] });
});

test('leaves alone what is no entry of its own, and says so once', async () => {
  const folder = stateFolder({ XDG_STATE_HOME: home });
  await mkdir(folder);
  await writeFile(join(folder, `profile-${'0'.repeat(32)}.json`), '{"baseUrl":');
  await writeFile(join(folder, `profile-${'1'.repeat(32)}.json`), '{"baseUrl": "https://a.example", "profile": 5}');
  const told: string[] = [];
  const journal = fileJournal(folder, (text) => told.push(text));
  for (let time = 0; time < 2; time++) expect(await journal.profiles('https://a.example')).toEqual([]);
  expect(told).toHaveLength(2);
});

test('says once that it cannot be written, and keeps nobody from a run', async () => {
  const told: string[] = [];
  const journal = fileJournal('/dev/null/state', (text) => told.push(text));
  await journal.writeProfile(entry);
  await journal.writeProfile(entry);
  expect(told).toEqual([expect.stringContaining('/dev/null/state cannot be written')]);
  expect(await journal.profiles(entry.baseUrl)).toEqual([]);
});

test.each([
  ['linux', { HOME: '/home/me' }, '/home/me/.local/state/workflow-contract'],
  ['linux', { XDG_STATE_HOME: '/state' }, '/state/workflow-contract'],
  ['darwin', {}, '/home/me/Library/Application Support/workflow-contract'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/workflow-contract'],
] as const)('on %s with %j stands in %s', (platform, env, want) => {
  expect(stateFolder(env, platform, '/home/me')).toBe(want);
});
