import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { script } from '../../scripts/script.js';
import { badCallers } from './bad-callers.js';
import { callerWith } from './habits.js';
import { brokenBy, playAll } from './matrix.js';
import { ownClient } from './own-client.js';
import { callersPage } from './page.js';

const page = fileURLToPath(new URL('../../docs/callers-proof.md', import.meta.url));

/**
 * Plays all scripts to all callers, good and bad. Exits with 1 if one breaks other rules than it declares. `--write`
 * writes docs/callers-proof.md.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
  const good = [
    { id: 'the client of this package', breaks: [], call: ownClient },
    { id: 'a good caller without a library', breaks: [], call: callerWith() },
  ];
  let problems = 0;
  for (const { id, breaks, call } of [...good, ...badCallers]) {
    const broken = brokenBy((await playAll(call)).verdicts);
    const isAsDeclared = broken.join() === [...breaks].sort().join();
    if (!isAsDeclared) problems += 1;
    console.log(`${isAsDeclared ? 'ok ' : 'NOT'} ${id}: ${broken.join(', ') || 'breaks nothing'}`);
  }
  const text = callersPage();
  if (values.write && problems === 0) await writeFile(page, text);
  else if ((await readFile(page, 'utf8').catch(() => '')) !== text) {
    console.error('docs/callers-proof.md is out of date: npm run callers -- --write');
    problems += 1;
  }
  return problems > 0 ? 1 : 0;
}

await script('callers', 'npm run callers -- [--write]', main);
