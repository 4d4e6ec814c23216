import type { Report, RuleVerdict } from '../vocabulary.js';

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
