import type { Rule } from '../../generated/rules.js';
import { type Effect, effects, type Facts } from '../vocabulary.js';

/** Whether a run at `allow` may do what has this effect. */
export const allows = (allow: Effect, effect: Effect): boolean => effects.indexOf(effect) <= effects.indexOf(allow);

/** Whether the target file declares what a need of the register names: `profile`, `workflows.completes`, `a|b`. */
export const declares = (facts: Facts, need: string): boolean =>
  need.split('|').some((path) => {
    if (path === 'apiKeys.restricted') return facts.restricted !== undefined;
    return (
      path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], facts) !==
      undefined
    );
  });

/** What the target file would have to declare or allow for a rule to be judged; undefined where nothing is missing. */
export function unmet(rule: Pick<Rule, 'needs' | 'effect'>, facts: Facts): string | undefined {
  const missing = facts.stateful ? rule.needs.filter((need) => !declares(facts, need)) : [];
  const parts = [
    ...(missing.length > 0 ? [`declare ${missing.map((need) => need.replaceAll('|', ' or ')).join(', ')}`] : []),
    ...(allows(facts.allow, rule.effect) ? [] : [`allow ${rule.effect}`]),
  ];
  return parts.length > 0 ? `To judge it, ${parts.join(' and ')}.` : undefined;
}
