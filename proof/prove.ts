import { faults, findFault, surroundings } from '../deviations/index.js';
import { rules } from '../generated/rules.js';
import { type Case, cases, findVariation, idOf, type Outcome } from './cases.js';
import { type AsFrozen, compareWithFrozen } from './frozen.js';
import {
  alarmsIn,
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
  readonly asFrozen: AsFrozen;
  readonly inconclusive: Inconclusive;
  /** A sentence for each thing that is not proven. */
  readonly problems: readonly string[];
}

/**
 * Runs the suite against the reference service with each fault, choice and variation, or only the `chosen` ones.
 * Rejects if the suite itself fails.
 */
export async function prove(done?: (count: number) => void, chosen: readonly Case[] = cases): Promise<Proof> {
  const results = await runCases(chosen, done);
  const trials = results.flatMap(({ of, outcome }): Trial[] => {
    if (!('fault' in of)) return [];
    const { id, breaks } = findFault(of.fault);
    return [{ id, breaks, outcome }];
  });
  const variations = results.flatMap(({ of, outcome }) => ('fault' in of ? [] : variationOf(of, outcome)));
  // With few long runs, much is not found.
  const isAtTempo = chosen.some(({ at }) => at);
  const asFrozen = compareWithFrozen(trials, chosen === cases);
  const inconclusive = inconclusiveIn(trials, variations, faults.length);
  return {
    trials,
    variations,
    asFrozen,
    inconclusive,
    problems: isAtTempo
      ? alarmsIn(rules, variations)
      : [
          ...variationProblems(rules, variations),
          ...trials.flatMap(trialProblems),
          ...asFrozen.problems,
          ...inconclusive.problems,
          // Only the whole catalogue can show that each rule is violated by some fault.
          ...(chosen === cases ? unprovenProblems(rules, trials) : []),
        ],
  };
}

/** What was found in the service of a case without a fault. */
export function variationOf(of: Case, outcome: Outcome): Variation {
  if (!('variation' in of)) return { id: idOf(of), usual: idOf(of) === 'default', outcome };
  const variation = findVariation(of.variation);
  return { ...variation, usual: false, disturbed: surroundings.includes(variation), outcome };
}
