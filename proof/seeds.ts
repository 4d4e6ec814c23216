import { choiceSets } from '../deviations/index.js';
import { runCase } from './cases.js';

/**
 * Checks conformant services with so many seeds, each set of choices in turn: whatever is sent, nothing may be called
 * broken or stay in doubt. Resolves to what was, in words.
 */
export async function alarms(seeds: number, done: (count: number) => void = () => {}): Promise<string[]> {
  const sets = Object.keys(choiceSets);
  const found: string[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const choices = sets[seed % sets.length] ?? 'default';
    const { rules, unusable } = await runCase({ choices }, {}, seed);
    const wrong = rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive');
    found.push(...wrong.map(({ id, verdict, why }) => `Seed ${seed} leaves ${id} ${verdict} with ${choices}: ${why}`));
    if (unusable) found.push(`Seed ${seed} calls ${choices} unusable: ${unusable}`);
    done(seed);
  }
  return found;
}
