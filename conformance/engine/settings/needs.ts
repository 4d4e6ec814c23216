import { contract, type Effect, type Rule } from '../contract.js';
import type { Facts } from '../vocabulary.js';

/** Where no budget is given: far more than a run asks for, so that what goes wrong can be asked for again. */
export const mostExecutions = 60;

/** Why a run starts no more executions. */
export const budgetSpent = (executions: number): string => `The budget of ${executions} executions is spent.`;

/** Why a run starts nothing more at the moment, and for too long. */
export const placesTaken = (places: number): string =>
  `What the run had started held all of the places that it may hold at once (budget.places: ${places}), and none came free.`;

/** Why a run makes no more copies of profiles. */
export const copiesSpent = (copies: number): string => `The budget of ${copies} copies is spent.`;

/** Why a rule was not judged for which a run started nothing. */
export const leftOut = (executions: number, steps: readonly string[]): string =>
  `${allowMore(executions, 'executions')} Not started: ${steps.join(', ')}.`;

export const allowMore = (most: number, of: 'executions' | 'copies' | 'places'): string =>
  `To judge it, allow more than ${most} ${of} (budget.${of}).`;

/** Why it does neither where much was lost on the way: for what a run asks for, the budget would have been enough. */
export const spentOnLost = (spent: string, lost: number): string =>
  `${spent} ${lost} of them went to requests whose answer was lost (where few connections are let in, lower pace.concurrency).`;

/** Whether a run at `allow` may do what has this effect. */
export const allows = (allow: Effect, effect: Effect): boolean =>
  contract().effects.indexOf(effect) <= contract().effects.indexOf(allow);

const declared = (facts: Facts, path: string): boolean =>
  path === 'apiKeys.restricted'
    ? facts.restricted !== undefined
    : path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], facts) !==
      undefined;

/** Whether the target file declares what a need of the register names: `profile`, `workflows.completes`, `a|b`. */
export const declares = (facts: Facts, need: string): boolean => need.split('|').some((path) => declared(facts, path));

/** What it would take for a need to be met, each way of it; empty where it is met. */
function ways(facts: Facts, need: string): string[] {
  const each = need.split('|').map((path) => {
    if (!declared(facts, path)) return path;
    const use = contract().useOf(path);
    return use === undefined || allows(facts.allow, use) ? '' : allowing(use);
  });
  return each.includes('') ? [] : each;
}

/** What the target file would have to declare or allow for a rule to be judged: `profile`, `allow write`; empty where nothing. */
export function lacking(rule: Pick<Rule, 'needs' | 'effect'>, facts: Facts): readonly string[] {
  const allowed = allows(facts.allow, rule.effect);
  // Of a rule that may not be judged anyway only the declarations are told: the allowance comes last.
  const at = allowed ? facts : { ...facts, allow: rule.effect };
  const missing = facts.stateful ? rule.needs.map((need) => ways(at, need)).filter(({ length }) => length > 0) : [];
  return [...missing.map((each) => each.join(' or ')), ...(allowed ? [] : [allowing(rule.effect)])];
}

const allowing = (effect: Effect): string => `allow ${effect}`;
const isAllowance = (item: string): boolean => contract().effects.some((effect) => item === allowing(effect));

/** What is lacking, in words: `declare profile and allow write`. */
export function toDeclare(items: readonly string[]): string {
  const things = items.filter((item) => !isAllowance(item));
  return [...(things.length > 0 ? [`declare ${things.join(', ')}`] : []), ...items.filter(isAllowance)].join(' and ');
}

/** The same as a sentence; undefined where nothing is lacking. */
export function unmet(rule: Pick<Rule, 'needs' | 'effect'>, facts: Facts): string | undefined {
  const items = lacking(rule, facts);
  return items.length > 0 ? `To judge it, ${toDeclare(items)}.` : undefined;
}
