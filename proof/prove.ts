import { rules } from '../generated/rules.js';
import { findFault } from '../reference/index.js';
import { cases } from './cases.js';
import { faultProblems, type Trial, type Variation, variationProblems } from './matrix.js';
import { runCases } from './pool.js';

export interface Proof {
  readonly trials: readonly Trial[];
  readonly variations: readonly Variation[];
  /** What is not proven, each in a sentence. */
  readonly problems: readonly string[];
}

/**
 * Runs the suite against the reference service with every fault, under every choice and with every variation. Rejects where
 * the suite itself fails.
 */
export async function prove(done?: (count: number) => void): Promise<Proof> {
  const results = await runCases(cases, done);
  const trials = results.flatMap(({ of, outcome }): Trial[] =>
    'fault' in of ? [{ id: of.fault, breaks: findFault(of.fault).breaks, outcome }] : [],
  );
  const variations = results.flatMap(({ of, outcome }): Variation[] => {
    if ('fault' in of) return [];
    const id = 'choices' in of ? of.choices : of.variation;
    return [{ id, usual: id === 'default', outcome }];
  });
  return { trials, variations, problems: [...variationProblems(rules, variations), ...faultProblems(rules, trials)] };
}
