import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { staleFile } from '../../../scripts/generate/files.js';
import { temporaryFolder } from '../../support/folder.js';

test.each([
  ['has the line ends of Windows', 'one\r\ntwo\r\n', []],
  [
    'differs in a line and has the line ends of Windows',
    'one\r\nTWO\r\n',
    ['line 2 has "TWO" where the sources give "two"'],
  ],
  ['has a line too many', 'one\ntwo\nthree\n', ['line 3 has "three" where the sources give ""']],
])('a file that %s is reported as stale', async (_, content, faults) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.ts'), content);
  expect(await staleFile(folder, 'a.ts', 'one\ntwo\n')).toEqual(faults.map((fault) => `a.ts is stale: ${fault}`));
});
