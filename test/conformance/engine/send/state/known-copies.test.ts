import { readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { copiesIn } from '../../../../../conformance/engine/send/known-copies.js';
import { stateFolder } from '../../../../../conformance/engine/settings/file.js';
import { temporaryFolder } from '../../../../support/folder.js';

let folder: string;
beforeEach(() => {
  folder = stateFolder({ XDG_STATE_HOME: temporaryFolder() });
});

const id = (last: string): string => `00000000-0000-4000-8000-00000000000${last}`;
const baseUrl = 'https://a.example';
const copies = [
  { id: id('a'), description: 'as made' },
  { id: id('b'), isElsewhere: true as const },
];
const entry = { baseUrl, profile: id('1'), copies };

test('the list of copies is kept for its user only, for each service and profile', async () => {
  const known = copiesIn(folder, expect.unreachable);
  expect(await known.of(baseUrl, entry.profile)).toBeUndefined();
  await known.write({ ...entry, copies: [] });
  await known.write(entry);
  const [file, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect((await stat(join(folder, file ?? ''))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await known.of(baseUrl, entry.profile)).toEqual(entry);
  expect(await known.of('https://b.example', entry.profile)).toBeUndefined();
  expect(await known.of(baseUrl, id('2'))).toBeUndefined();
});

test('a service is recognized by any form of its address', async () => {
  const known = copiesIn(folder, expect.unreachable);
  await known.write({ ...entry, baseUrl: 'http://localhost:4010' });
  expect(await known.of('http://127.0.0.1:4010/', entry.profile)).toMatchObject({ copies: entry.copies });
  expect(await known.of('http://127.0.0.1:4011', entry.profile)).toBeUndefined();
});

test('entries that are no copies are ignored', async () => {
  const known = copiesIn(folder, expect.unreachable);
  await known.write(entry);
  const [file = ''] = await readdir(folder);
  const odd = { copies: [1, { id: '../x' }, { id: id('a') }] };
  await writeFile(join(folder, file), JSON.stringify(odd));
  expect(await known.of(baseUrl, entry.profile)).toEqual({ ...entry, copies: [{ id: id('a') }] });
});

test('a file that cannot be read or written is reported once, and the run continues', async () => {
  const warnings: string[] = [];
  const known = copiesIn(folder, (text) => warnings.push(text));
  await known.write(entry);
  const [file = ''] = await readdir(folder);
  await writeFile(join(folder, file), '{');
  for (let time = 0; time < 2; time += 1) expect(await known.of(baseUrl, entry.profile)).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining('cannot be read (it is no list of copies)')]);
  const nowhere = copiesIn('/dev/null/state', (text) => warnings.push(text));
  for (let time = 0; time < 2; time += 1) await nowhere.write(entry);
  expect(warnings.slice(1)).toEqual([expect.stringContaining('/dev/null/state cannot be written')]);
});

test.each([
  ['linux', { HOME: '/home/me' }, '/home/me/.local/state/workflow-contract'],
  ['linux', { XDG_STATE_HOME: '/state' }, '/state/workflow-contract'],
  ['darwin', {}, '/home/me/Library/Application Support/workflow-contract'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/workflow-contract'],
] as const)('on %s with %j the folder is %s', (platform, env, want) => {
  expect(stateFolder(env, platform, () => '/home/me')).toBe(want);
});

test('the state of a user without a home is in the folder for temporary files', () => {
  const none = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  expect(stateFolder({}, 'linux', none).startsWith(tmpdir())).toBe(true);
});
