/** Why a rule of which nothing was seen is untested: the budget had no room for the executions that could have shown it. */

import { allowMore, leftOut } from '../../engine/settings/needs.js';
import type { Facts, Halted } from '../../engine/vocabulary.js';
import { stepsFor } from '../scenarios.js';
import { defaults } from '../target/target.js';
import type { Chosen } from './steps.js';

/** What was started, and what was not. */
export interface StartedAndLeftOut {
  readonly chosen: Chosen;
  /** The declared names of the steps that were sent. */
  readonly sent: ReadonlySet<string>;
  /** Why scenarios stopped early. */
  readonly halts: readonly Halted[];
  readonly facts: Pick<Facts, 'budget'>;
}

/** `isUnexplained`: nothing else says why the rule was not shown. */
export const whyLeftOut =
  ({ chosen: { steps, possibleFor }, sent, halts, facts: { budget } }: StartedAndLeftOut) =>
  (rule: string, isUnexplained: boolean): string | undefined => {
    const { executions } = budget;
    const isSpent = halts.some(({ spent }) => spent === 'executions');
    const possible = possibleFor(rule);
    const left = possible.filter((step) => !steps.has(step) || (isSpent && !sent.has(step)));
    if (left.length > 0 && left.length === possible.length) return leftOut(executions, left);
    // Steps that only repeat are started if the budget is above the default: a larger default would not start them either.
    const isLeft = isSpent
      ? stepsFor(rule).some((step) => !sent.has(step))
      : executions < defaults.budget.executions && left.length > 0;
    return isUnexplained && isLeft ? allowMore(executions, 'executions') : undefined;
  };
