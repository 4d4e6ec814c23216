import type { Report } from '../vocabulary/report.js';
import type { RuleVerdict, Violation } from '../vocabulary.js';

/** Merges violations: occurrences are counted, and the first one is shown. */

/** How many further exchanges at fault are named. */
const namedOthers = 5;

/** Distinguishes the violations of a rule. */
export const nameOf = ({ operation, signature }: Pick<Violation, 'operation' | 'signature'>): string =>
  `${operation ?? ''} ${signature}`;

/** Merges two occurrences of a violation. The order does not matter: the earlier one is shown. */
export function mergedViolation(a: Violation, b: Violation): Violation {
  const [first, later] = byPlace(a, b) <= 0 ? [a, b] : [b, a];
  const others = [...first.others, ...later.exchanges.slice(0, 1), ...later.others];
  const { known: _, ...rest } = first;
  return {
    ...rest,
    count: a.count + b.count,
    others: [...new Set(others)].sort((one, other) => one - other).slice(0, namedOthers),
  };
}

/** Merges violations of the same name, and sorts them by the exchanges that show them. */
export function mergedViolations(violations: readonly Violation[]): Violation[] {
  const by = new Map<string, Violation>();
  for (const one of violations) {
    const earlier = by.get(nameOf(one));
    by.set(nameOf(one), earlier ? mergedViolation(earlier, one) : one);
  }
  return [...by.values()].sort(byPlace);
}

export const byPlace = (a: Violation, b: Violation): number =>
  comparePlaces(a.exchanges, b.exchanges) || compareTexts(nameOf(a), nameOf(b)) || compareTexts(a.seen, b.seen);

/** Compares by the first number that differs; else the shorter list comes first. */
export function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? Number.NEGATIVE_INFINITY);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares by code units, which is the same on every machine. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** How many rules passed or were violated. */
export const judgedOf = (rules: readonly Pick<RuleVerdict, 'verdict'>[]): number =>
  rules.filter(({ verdict }) => verdict === 'passed' || verdict === 'violated').length;

/** How many rules have which verdict. A violated SHOULD counts as a warning. */
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
