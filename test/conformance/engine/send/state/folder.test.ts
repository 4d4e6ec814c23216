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

test('is made with those around it, for its user alone; one that is there is left as it is', async () => {
  const folder = join(home, 'state', 'workflow-contract');
  await makeFolder(folder);
  for (const one of [folder, join(home, 'state')]) expect((await stat(one)).mode & 0o777).toBe(0o700);
  await makeFolder(folder);
  await makeFolder(home);
});

test('a file that is in the way is told', async () => {
  await writeFile(join(home, 'file'), '');
  await expect(makeFolder(join(home, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(home, 'file', 'inside'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test.runIf(existsSync('/proc/self'))('where none can be made it is told, and not tried for ever', async () => {
  await expect(makeFolder('/proc/none/state')).rejects.toMatchObject({ code: 'ENOENT' });
});
