/** Tells that a rule is untested because the budget had no room for executions that could have shown it. */

import { nothingShown, notObservedReason } from '../../engine/rule/verdicts.js';
import { allowMore, budgetSpent, leftOut, mostExecutions } from '../../engine/settings/needs.js';
import type { Facts, Halted, RuleVerdict } from '../../engine/vocabulary.js';
import { stepsFor } from '../scenarios.js';
import type { Chosen } from './steps.js';

/** What was started, and what was not. */
export interface StartedAndLeftOut {
  readonly chosen: Chosen;
  /** The declared names of the steps that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Why journeys stopped early. */
  readonly halts: readonly Halted[];
  readonly facts: Pick<Facts, 'budget'>;
}

/**
 * Makes a verdict untested if the run showed nothing of the rule, and the budget left out what could have. A rule that
 * is in doubt for another reason stays so. `where`: what the rule applies to.
 */
export function untestedIfLeftOut(
  rule: RuleVerdict,
  where: string,
  { chosen: { steps, possibleFor }, sent, halts, facts: { budget } }: StartedAndLeftOut,
): RuleVerdict {
  const isInDoubt = rule.verdict === 'inconclusive';
  if (!isInDoubt && rule.why !== notObservedReason(where)) return rule;
  const { executions = mostExecutions } = budget;
  const isSpent = halts.some(({ why }) => why === budgetSpent(executions));
  const possible = possibleFor(rule.id);
  const left = possible.filter((step) => !steps.has(step) || (isSpent && !sent.has(step)));
  if (left.length > 0 && left.length === possible.length && rule.observations === 0)
    return { ...rule, verdict: 'untested', why: leftOut(executions, left) };
  if (!isInDoubt || rule.why !== nothingShown) return rule;
  // Without a given budget, steps that only repeat are never started: a larger default would not start them either.
  const isLeft = isSpent
    ? stepsFor(rule.id).some((step) => !sent.has(step))
    : budget.executions !== undefined && left.length > 0;
  return isLeft ? { ...rule, verdict: 'untested', why: allowMore(executions, 'executions') } : rule;
}
