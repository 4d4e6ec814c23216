import { rules } from '../generated/rules.js';
import { findFault } from '../reference/index.js';
import { cases } from './cases.js';
import { choiceProblems, faultProblems, type Trial, type Variation } from './matrix.js';
import { runCases } from './pool.js';

export interface Proof {
  readonly trials: readonly Trial[];
  readonly variations: readonly Variation[];
  /** What is not proven, each in a sentence. */
  readonly problems: readonly string[];
}

/** Runs the suite against the reference service with every fault and under every choice. Rejects where the suite fails. */
export async function prove(done?: (count: number) => void): Promise<Proof> {
  const results = await runCases(cases, done);
  const trials = results.flatMap(({ of, outcome }): Trial[] =>
    'fault' in of ? [{ id: of.fault, breaks: findFault(of.fault).breaks, outcome }] : [],
  );
  const variations = results.flatMap(({ of, outcome }): Variation[] =>
    'choices' in of ? [{ id: of.choices, usual: of.choices === 'default', outcome }] : [],
  );
  return { trials, variations, problems: [...choiceProblems(rules, variations), ...faultProblems(rules, trials)] };
}
