import { choiceSets } from '../deviations/index.js';
import { type Outcome, runCase, runSetting } from './cases.js';
import { combinationOf } from './combinations.js';

/**
 * Checks conformant services with this many seeds. For each seed, a set of choices: no rule may be violated or
 * inconclusive; and a combination of variants: none but a SHOULD that they declare. Resolves to a sentence for each exception.
 */
export async function falseAlarms(seeds: number, done: (count: number) => void = () => {}): Promise<string[]> {
  const sets = Object.keys(choiceSets);
  const found: string[] = [];
  const add = (seed: number, says: string, wrong: Outcome['rules'], unusable?: string) => {
    found.push(...wrong.map(({ id, verdict, why }) => `Seed ${seed} leaves ${id} ${verdict} with ${says}: ${why}`));
    if (unusable) found.push(`Seed ${seed} calls ${says} unusable: ${unusable}`);
  };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const choices = sets[seed % sets.length] ?? 'default';
    const usual = await runCase({ choices }, seed);
    const wrong = usual.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive');
    add(seed, choices, wrong, usual.unusable);
    const { says, warns, ...setting } = combinationOf(seed);
    const combined = await runSetting(setting, seed);
    const violated = combined.rules.filter(({ id, verdict }) => verdict === 'violated' && !warns.includes(id));
    add(seed, says, violated, combined.unusable);
    done(seed);
  }
  return found;
}
