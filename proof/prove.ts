import { faults, findFault, surroundings } from '../deviations/index.js';
import { rules } from '../generated/rules.js';
import { type Case, cases, findVariation } from './cases.js';
import { type AsFrozen, compareWithFrozen } from './frozen.js';
import {
  type Inconclusive,
  inconclusiveIn,
  type Trial,
  trialProblems,
  unprovenProblems,
  type Variation,
  variationProblems,
} from './matrix.js';
import { runCases } from './pool.js';

export interface Proof {
  readonly trials: readonly Trial[];
  readonly variations: readonly Variation[];
  /** How many faults were seen in what is sent for their rules alone. */
  readonly quick: number;
  readonly asFrozen: AsFrozen;
  readonly inconclusive: Inconclusive;
  /** A sentence for each thing that is not proven. */
  readonly problems: readonly string[];
}

/**
 * Runs the suite against the reference service with each fault, choice and variation, or only the `chosen` ones.
 * If `isQuick`, nobody sees what a fault breaks besides the rules that it declares. Rejects if the suite itself fails.
 */
export async function prove(
  done?: (count: number) => void,
  chosen: readonly Case[] = cases,
  isQuick = false,
): Promise<Proof> {
  const results = await runCases(isQuick ? chosen.map((of) => ({ ...of, isQuick })) : chosen, done);
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
        disturbed: surroundings.some(({ id }) => id === of.variation),
        outcome,
      },
    ];
  });
  const asFrozen = compareWithFrozen(trials, chosen === cases);
  const inconclusive = inconclusiveIn(trials, variations, faults.length);
  return {
    trials,
    variations,
    quick: results.filter(({ outcome }) => outcome.wasQuick).length,
    asFrozen,
    inconclusive,
    problems: [
      ...variationProblems(rules, variations),
      ...trials.flatMap(trialProblems),
      ...asFrozen.problems,
      ...inconclusive.problems,
      // Only the whole catalogue can show that each rule is broken by some fault.
      ...(chosen === cases ? unprovenProblems(rules, trials) : []),
    ],
  };
}
