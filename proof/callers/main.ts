import { isDeepStrictEqual, parseArgs } from 'node:util';
import { scripts } from '../../certify/scripts.js';
import { callers } from '../../generated/rules.js';
import { script } from '../../scripts/script.js';
import { badCallers } from './bad-callers.js';
import { goodCallers } from './good-callers.js';
import { declaredOf, playAll, resultOf } from './matrix.js';

/**
 * Plays all scripts to all callers, good and bad. Exits with 1 if one violates other rules than it declares, or certify ends
 * with another code. Prints what each caller violates, then which scripts show a rule, and who violates it.
 */
async function main(): Promise<number> {
  parseArgs({ options: {} });
  let problems = 0;
  for (const one of [...goodCallers, ...badCallers]) {
    const { verdicts } = await playAll(one.call);
    const result = resultOf(verdicts);
    const isAsDeclared = isDeepStrictEqual(result, declaredOf(one));
    if (!isAsDeclared) problems += 1;
    const { breaks, exit } = result;
    console.log(`${isAsDeclared ? 'ok ' : 'NOT'} ${one.id}: exit ${exit}, violates ${breaks.join(', ') || 'nothing'}`);
  }
  for (const { id, level } of callers) {
    const shown = scripts.filter(({ rules }) => rules.includes(id)).map((one) => one.id);
    const violators = badCallers.filter(({ breaks }) => breaks.includes(id)).map((one) => one.id);
    console.log(`${id} (${level}) is shown by ${shown.join(', ')}, and violated by ${violators.join(', ')}`);
  }
  return problems > 0 ? 1 : 0;
}

await script('callers', 'npm run callers', main, { '--write': 'the command prints what it found.' });
