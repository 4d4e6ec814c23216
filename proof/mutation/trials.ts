import { rules } from '../../generated/rules.js';
import { choiceSets } from '../../reference/index.js';
import { runCase } from '../cases.js';
import { variationProblems } from '../matrix.js';

/** The usual service first, then those that fill the gaps in other ways, since their code is reached in no other. */
export const names: readonly string[] = Object.keys(choiceSets);

/** Seconds. What waits for a broken service is not to wait for long; the reference is done within two. */
const patienceSeconds = 5;

/** What the suite says of the service with these choices that it should not say of a conformant one. */
export async function problems(id: string): Promise<string[]> {
  const outcome = await runCase({ choices: id }, { patienceSeconds });
  return variationProblems(rules, [{ id, usual: id === 'default', outcome }]);
}
