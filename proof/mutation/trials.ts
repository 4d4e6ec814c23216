import { rules } from '../../generated/rules.js';
import { choiceSets } from '../../reference/index.js';
import { runCase } from '../cases.js';
import { variationProblems } from '../matrix.js';

/** The default service first, then the other sets of choices, which reach other code. */
export const names: readonly string[] = Object.keys(choiceSets);

/** In seconds. Do not wait long for a broken service; the check of the reference takes two seconds. */
const patienceSeconds = 5;

/** A sentence for each wrong finding about the service with these choices. */
export async function problems(id: string): Promise<string[]> {
  const outcome = await runCase({ choices: id }, { patienceSeconds });
  return variationProblems(rules, [{ id, usual: id === 'default', outcome }]);
}
