import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../../../../conformance/engine/send/known-copies.js';
import { temporaryFolder } from '../../../../support/folder.js';

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

test('is created with its parents, for its user only; an existing one is unchanged', async () => {
  const folder = join(home, 'state', 'workflow-contract');
  await makeFolder(folder);
  for (const one of [folder, join(home, 'state')]) expect((await stat(one)).mode & 0o777).toBe(0o700);
  await makeFolder(folder);
  await makeFolder(home);
});

test('a file in its place is reported', async () => {
  await writeFile(join(home, 'file'), '');
  await expect(makeFolder(join(home, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(home, 'file', 'inside'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.runIf(existsSync('/proc/self'))(
  'a folder that cannot be created is reported, and not tried without end',
  async () => {
    await expect(makeFolder('/proc/none/state')).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
