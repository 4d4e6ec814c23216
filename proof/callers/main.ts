import { parseArgs } from 'node:util';
import { scripts } from '../../certify/scripts.js';
import { callers } from '../../generated/rules.js';
import { script } from '../../scripts/script.js';
import { badCallers } from './bad-callers.js';
import { callerWith } from './habits.js';
import { brokenBy, playAll } from './matrix.js';
import { ownClient } from './own-client.js';

/**
 * Plays all scripts to all callers, good and bad. Exits with 1 if one breaks other rules than it declares. Prints what
 * each caller breaks, then which scripts show a rule, and who breaks it.
 */
async function main(): Promise<number> {
  parseArgs({ options: {} });
  const good = [
    { id: 'the client of this package', says: 'It keeps every rule.', breaks: [], call: ownClient },
    { id: 'a good caller without a library', says: 'It keeps every rule.', breaks: [], call: callerWith() },
  ];
  let problems = 0;
  for (const { id, says, breaks, call } of [...good, ...badCallers]) {
    const broken = brokenBy((await playAll(call)).verdicts);
    const isAsDeclared = broken.join() === [...breaks].sort().join();
    if (!isAsDeclared) problems += 1;
    console.log(`${isAsDeclared ? 'ok ' : 'NOT'} ${id} breaks ${broken.join(', ') || 'nothing'}: ${says}`);
  }
  for (const { id, level } of callers) {
    const shown = scripts.filter(({ rules }) => rules.includes(id)).map((one) => one.id);
    const broken = badCallers.filter(({ breaks }) => breaks.includes(id)).map((one) => one.id);
    console.log(`${id} (${level}) is shown by ${shown.join(', ')}, and broken by ${broken.join(', ')}`);
  }
  return problems > 0 ? 1 : 0;
}

await script('callers', 'npm run callers', main, { '--write': 'the command prints what it found.' });
