/** What a target file has to declare and allow, and what a budget has to allow, for a rule to be judged. */
import { contract, type Effect, type Rule } from '../contract.js';
import { suite } from '../suite.js';
import type { Facts } from '../vocabulary.js';

/** The second pass starts no more than this, of what is left of the budget. */
export const mostRepeated = 8;

export const budgetSpent = (executions: number): string => `The budget of ${executions} executions is spent.`;

/** Why a run waited too long for a place to start an execution. */
export const placesTaken = (places: number): string =>
  `The executions of the run used all places that the budget allows at once (budget.places: ${places}), and none became free.`;

/** What rules need that no copy could be made for. What duplications show, an update of `scratchProfile` does not. */
export const needsCopy = ({ on = [] }: Partial<Pick<Rule, 'on'>>): string =>
  on.some((id) => contract().operations[id].effect === 'copies') &&
  !on.some((id) => contract().operations[id].effect === 'changes')
    ? 'allow a new copy (budget.copies)'
    : 'allow a copy (budget.copies) or declare scratchProfile';

export const allowMore = (most: number, of: 'executions' | 'places'): string =>
  `allow more than ${most} ${of} (budget.${of})`;

/** Why the budget was spent if answers were lost: without that it would have been enough. */
export const spentOnLost = (spent: string, lost: number): string =>
  `${spent} ${lost} of them went to requests whose answer was lost (if the service accepts few connections, lower pace.concurrency).`;

export const allows = (allow: Effect, effect: Effect): boolean =>
  contract().effects.indexOf(effect) <= contract().effects.indexOf(allow);

const declared = (facts: Facts, path: string): boolean =>
  path === 'apiKeys.restricted'
    ? facts.restricted !== undefined
    : path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], facts) !==
      undefined;

/** Whether the target file meets a need, such as `profile`, `workflows.completes` or `a|b`. */
export const declares = (facts: Facts, need: string): boolean => need.split('|').some((path) => declared(facts, path));

/** The alternatives that would meet a need; empty if it is met. */
function ways(facts: Facts, need: string): string[] {
  const each = need.split('|').map((path) => {
    if (!declared(facts, path)) return path;
    const use = suite().effectNeededFor(path);
    return use === undefined || allows(facts.allow, use) ? '' : allowing(use);
  });
  return each.includes('') ? [] : each;
}

/** What the target file would have to declare or allow for a rule to be judged: `profile`, `allow write`. */
export function missingNeeds(rule: Pick<Rule, 'needs' | 'effect'>, facts: Facts): readonly string[] {
  const allowed = allows(facts.allow, rule.effect);
  // If the rule's effect is not allowed, needs are reported as if it were: the allowance comes last.
  const at = allowed ? facts : { ...facts, allow: rule.effect };
  const missing = facts.stateful ? rule.needs.map((need) => ways(at, need)).filter(({ length }) => length > 0) : [];
  return [...missing.map((each) => each.join(' or ')), ...(allowed ? [] : [allowing(rule.effect)])];
}

const allowing = (effect: Effect): string => `allow ${effect}`;

/** Needs in words: `profile, and profileGroup or capacity`. */
export const needsText = (items: readonly string[]): string =>
  items
    .join(', ')
    .replace(/, (?=[^,]*$)/, ', and ')
    .replaceAll('|', ' or ')
    .replaceAll('allow ', 'allow: ');

/** The same as advice, `set profile, and allow: write`; undefined if nothing is lacking. */
export function missingNeedsAdvice(rule: Pick<Rule, 'needs' | 'effect'>, facts: Facts): string | undefined {
  const items = missingNeeds(rule, facts);
  return items.length > 0 ? `set ${needsText(items)}` : undefined;
}
