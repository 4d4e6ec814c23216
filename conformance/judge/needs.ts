import type { Rule } from '../../generated/rules.js';
import { type Effect, effects, type Facts } from '../vocabulary.js';

/** Whether a run at `allow` may do what has this effect. */
export const allows = (allow: Effect, effect: Effect): boolean => effects.indexOf(effect) <= effects.indexOf(allow);

const declared = (facts: Facts, path: string): boolean =>
  path === 'apiKeys.restricted'
    ? facts.restricted !== undefined
    : path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], facts) !==
      undefined;

/** Whether the target file declares what a need of the register names: `profile`, `workflows.completes`, `a|b`. */
export const declares = (facts: Facts, need: string): boolean => need.split('|').some((path) => declared(facts, path));

/** What it would take for a need to be met, each way of it; empty where it is met. A workflow is of use only when run. */
function ways(facts: Facts, need: string): string[] {
  const each = need.split('|').map((path) => {
    if (!declared(facts, path)) return path;
    return path.startsWith('workflows.') && !allows(facts.allow, 'execute') ? 'allow execute' : '';
  });
  return each.includes('') ? [] : each;
}

/** What the target file would have to declare or allow for a rule to be judged; undefined where nothing is missing. */
export function unmet(rule: Pick<Rule, 'needs' | 'effect'>, facts: Facts): string | undefined {
  const allowed = allows(facts.allow, rule.effect);
  // Of a rule that may not be judged anyway only the declarations are told: the allowance comes last.
  const at = allowed ? facts : { ...facts, allow: rule.effect };
  const missing = facts.stateful ? rule.needs.map((need) => ways(at, need)).filter(({ length }) => length > 0) : [];
  const parts = [
    ...(missing.length > 0 ? [`declare ${missing.map((each) => each.join(' or ')).join(', ')}`] : []),
    ...(allowed ? [] : [`allow ${rule.effect}`]),
  ];
  return parts.length > 0 ? `To judge it, ${parts.join(' and ')}.` : undefined;
}
