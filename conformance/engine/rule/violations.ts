import type { Report, RuleVerdict, Violation } from '../vocabulary.js';

/** Adding violations up: repetitions are counted, and the first of them shown. */

/** Exchanges at fault that are named beside the first. */
const namedOthers = 5;

/** What tells one violation of a rule from another. */
export const nameOf = ({ operation, signature }: Pick<Violation, 'operation' | 'signature'>): string =>
  `${operation ?? ''} ${signature}`;

/** The same violation, seen again. In whichever order: what is shown is what came first. */
export function joined(a: Violation, b: Violation): Violation {
  const [first, later] = byPlace(a, b) <= 0 ? [a, b] : [b, a];
  const others = [...first.others, ...later.exchanges.slice(0, 1), ...later.others];
  const { known: _, ...rest } = first;
  return {
    ...rest,
    count: a.count + b.count,
    others: [...new Set(others)].sort((one, other) => one - other).slice(0, namedOthers),
  };
}

/** Violations by name, each joined of all that have that name, in the order of what shows them. */
export function joinedAll(violations: readonly Violation[]): Violation[] {
  const by = new Map<string, Violation>();
  for (const one of violations) {
    const known = by.get(nameOf(one));
    by.set(nameOf(one), known ? joined(known, one) : one);
  }
  return [...by.values()].sort(byPlace);
}

export const byPlace = (a: Violation, b: Violation): number =>
  comparePlaces(a.exchanges, b.exchanges) || compareTexts(nameOf(a), nameOf(b)) || compareTexts(a.seen, b.seen);

/** By the first number in which they differ; the shorter list first where they do not. */
export function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? Number.NEGATIVE_INFINITY);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** By code units: the same on every machine. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** How many of the rules were found to hold or to be broken. */
export const judgedOf = (rules: readonly Pick<RuleVerdict, 'verdict'>[]): number =>
  rules.filter(({ verdict }) => verdict === 'passed' || verdict === 'violated').length;

/** How many of the rules came to which verdict; a violated SHOULD is a warning. */
export function summarize(rules: readonly Pick<RuleVerdict, 'level' | 'verdict'>[]): Report['summary'] {
  const count = (wanted: RuleVerdict['verdict'], level?: RuleVerdict['level']) =>
    rules.filter((rule) => rule.verdict === wanted && (level === undefined || rule.level === level)).length;
  return {
    passed: count('passed'),
    violated: count('violated', 'MUST'),
    warned: count('violated', 'SHOULD'),
    untested: count('untested'),
    notApplicable: count('not-applicable'),
    inconclusive: count('inconclusive'),
  };
}
