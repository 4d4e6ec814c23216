/** Limits that are judged from both sides: what is outside is refused, the bound itself is taken. */

import type { RuleId } from '../contract.js';
import { outcomeOf } from '../outcome/outcome.js';
import { accepted, isMeantToPass } from '../outcome/read.js';
import type { Exchange, Facts, Finding, Judge } from '../vocabulary.js';
import { inconclusive, satisfied, violated } from './findings.js';
import { refusal } from './probes.js';
import { together } from './together.js';

/** A value that must be taken. */
export interface Bound {
  readonly value: string;
  /** The requests that sent it. */
  readonly tries: readonly Exchange[];
  /** A request that was accepted and differs from a refused one in nothing that matters beside the value. */
  beside(refused: Exchange): Exchange | undefined;
}

export function taken({ value, tries, beside }: Bound): Finding[] {
  const done = tries.find(accepted);
  if (done) return [satisfied(done)];
  for (const refused of tries.filter((one) => outcomeOf(one).kind === 'refused')) {
    const other = beside(refused);
    if (other) return [violated([refused, other], `${value} to be taken`)];
  }
  return tries
    .slice(0, 1)
    .map((one) =>
      inconclusive(one, outcomeOf(one).why ?? `${value} was refused, and nothing tells whether for its own sake.`),
    );
}

/**
 * Seen: values on both sides of a limit. Satisfied where what is outside is refused and the bound itself taken; violated where it
 * is otherwise for the sake of that value.
 */
export const bounded = (
  rule: RuleId,
  outside: (exchange: Exchange) => string | undefined,
  bounds: (ours: readonly Exchange[], facts: Facts) => readonly Bound[],
): Judge =>
  together(refusal(rule, outside), {
    run: ({ exchanges }, facts) => bounds(exchanges.filter(isMeantToPass), facts).flatMap(taken),
  });
