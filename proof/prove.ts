import { findFault } from '../deviations/index.js';
import { rules } from '../generated/rules.js';
import { type Case, cases, findVariation } from './cases.js';
import { type Trial, trialProblems, unprovenProblems, type Variation, variationProblems } from './matrix.js';
import { runCases } from './pool.js';

export interface Proof {
  readonly trials: readonly Trial[];
  readonly variations: readonly Variation[];
  /** What is not proven, each in a sentence. */
  readonly problems: readonly string[];
}

/**
 * Runs the suite against the reference service with every fault, under every choice and with every variation. Rejects where
 * the suite itself fails. `chosen`: a part of the cases.
 */
export async function prove(done?: (count: number) => void, chosen: readonly Case[] = cases): Promise<Proof> {
  const results = await runCases(chosen, done);
  const trials = results.flatMap(({ of, outcome }): Trial[] =>
    'fault' in of ? [{ id: of.fault, breaks: findFault(of.fault).breaks, outcome }] : [],
  );
  const variations = results.flatMap(({ of, outcome }): Variation[] => {
    if ('fault' in of) return [];
    if ('choices' in of) return [{ id: of.choices, usual: of.choices === 'default', outcome }];
    const { warns, untested, open } = findVariation(of.variation);
    return [
      {
        id: of.variation,
        usual: false,
        ...(warns && { warns }),
        ...(untested && { untested }),
        ...(open && { open }),
        outcome,
      },
    ];
  });
  const problems = [...variationProblems(rules, variations), ...trials.flatMap(trialProblems)];
  // A part of the catalogue cannot show that every rule is broken by something.
  return {
    trials,
    variations,
    problems: chosen === cases ? [...problems, ...unprovenProblems(rules, trials)] : problems,
  };
}
