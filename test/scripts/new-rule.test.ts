import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stubs } from '../../scripts/new-rule/stubs.js';
import { temporaryFolder } from '../support/folder.js';
import { repository } from './contract-copy.js';

test('a rule whose entry exists already gets all the other stubs', async () => {
  const copy = temporaryFolder();
  for (const part of ['openapi', 'conformance/suite', 'deviations/faults', 'test/conformance/suite'])
    await cp(join(repository, part), join(copy, part), { recursive: true });
  const [id, like] = ['terminals-have-no-future', 'terminal-is-final'];
  const all = (await stubs(copy, id, like)).map(({ file }) => file);
  const register = join(copy, 'openapi/rules.yaml');
  const text = await readFile(register, 'utf8');
  await writeFile(register, text.replace(`  - {id: ${like},`, `  - {id: ${id}, level: MUST}\n  - {id: ${like},`));
  expect((await stubs(copy, id, like)).map(({ file }) => file)).toEqual(all.slice(1));
});
