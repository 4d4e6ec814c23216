import { contract } from '../contract.js';
import { once } from '../memoize.js';
import type { RuleVerdict } from '../vocabulary.js';

/** Histories that went on after they had to be judged: too much was to be remembered, or time went back. */
export interface Resumed {
  readonly executions: number;
  readonly profiles: number;
}

export const noneResumed: Resumed = { executions: 0, profiles: 0 };

export const addResumed = (a: Resumed, b: Resumed): Resumed => ({
  executions: a.executions + b.executions,
  profiles: a.profiles + b.profiles,
});

const needs = once((): Readonly<Record<keyof Resumed, ReadonlySet<string>>> => {
  const { judges, rules } = contract();
  return {
    executions: new Set(rules.filter(({ id }) => judges[id].trace).map(({ id }) => id)),
    profiles: new Set(rules.filter(({ id }) => judges[id].profile).map(({ id }) => id)),
  };
});

const why = (what: keyof Resumed): string =>
  `Some ${what} went on after they had to be judged, to make room or because time went back, so no one saw them whole; --remember more, judge in parts, or sort the files.`;

/** Nobody knows whether a rule that needs the whole of a history was satisfied where that was judged in two. */
export const doubted = (rules: readonly RuleVerdict[], resumed: Resumed): RuleVerdict[] =>
  rules.map((rule) => {
    const cut = (['executions', 'profiles'] as const).find((what) => resumed[what] > 0 && needs()[what].has(rule.id));
    return cut && rule.verdict === 'passed' ? { ...rule, verdict: 'inconclusive', why: why(cut) } : rule;
  });
