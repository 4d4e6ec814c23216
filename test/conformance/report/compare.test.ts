import { expect, test } from 'vitest';
import { compare, comparisonText } from '../../../conformance/report/compare.js';
import { markdown } from '../../../conformance/report/markdown.js';
import type { Report, RuleVerdict, Verdict } from '../../../conformance/vocabulary.js';
import type { RuleId } from '../../../generated/rules.js';
import { hostile, sampleReport } from '../../support/report.js';

const report = sampleReport();

const withVerdicts = (verdicts: { [rule in RuleId]?: Verdict }, why = ''): Report => ({
  ...report,
  rules: report.rules.flatMap((rule): RuleVerdict[] => {
    const verdict = verdicts[rule.id];
    return verdict ? [{ ...rule, verdict, why }] : [];
  }),
});

const ids = (rules: readonly { id: string }[]) => rules.map(({ id }) => id);

test.each<[string, Verdict | undefined, Verdict | undefined, string]>([
  ['broken', 'passed', 'violated', 'broken'],
  ['broken without having been judged before', 'untested', 'violated', 'broken'],
  ['broken and new', undefined, 'violated', 'broken'],
  ['still broken', 'violated', 'violated', 'still'],
  ['fixed', 'violated', 'passed', 'fixed'],
  ['no longer judged', 'passed', 'untested', 'untested'],
  ['no longer judged, not fixed', 'violated', 'inconclusive', 'untested'],
  ['no longer among the rules', 'violated', undefined, 'untested'],
  ['held as before', 'passed', 'passed', ''],
  ['judged at last', 'untested', 'passed', ''],
  ['untested as before', 'untested', 'inconclusive', ''],
])('a rule that is %s', (_, before, now, want) => {
  const of = (verdict: Verdict | undefined) => withVerdicts(verdict ? { 'update-applies': verdict } : {});
  const { since: __, ...lists } = compare(of(before), of(now));
  expect(Object.entries(lists).flatMap(([list, rules]) => (rules.length > 0 ? [list] : []))).toEqual(
    want ? [want] : [],
  );
});

test('is told in lines, and in Markdown', () => {
  const comparison = compare(
    withVerdicts({ 'update-applies': 'passed', 'update-is-partial': 'violated', 'files-appear': 'passed' }),
    withVerdicts(
      { 'update-applies': 'violated', 'update-is-partial': 'passed', 'files-appear': 'untested' },
      'because',
    ),
  );
  expect(comparisonText(comparison)).toBe(
    [
      'Since the report of 2026-11-03T09:12:44.000Z:',
      '1 rule newly broken:',
      '  MUST update-applies: because',
      '1 rule fixed:',
      '  MUST update-is-partial: because',
      '1 rule no longer judged:',
      '  MUST files-appear: because',
      '',
    ].join('\n'),
  );
  expect(markdown(report, { comparison })).toContain(
    '| newly broken | `update-applies` |\n| fixed | `update-is-partial` |',
  );
});

test('says so where nothing changed', () => {
  const same = withVerdicts({ 'update-applies': 'passed' });
  expect(comparisonText(compare(same, same))).toMatch(/no rule changed and none is broken/);
});

test('shows what text of either report would do, and does not do it', () => {
  const before = { ...withVerdicts({ 'update-applies': 'passed' }), startedAt: hostile };
  const text = comparisonText(compare(before, withVerdicts({ 'update-applies': 'violated' }, hostile)));
  expect(text.split('\n')).toHaveLength(4);
  expect(text.replaceAll('\n', '').match(/\p{Cc}/u)).toBeNull();
});

test('finds the same rules whatever their order', () => {
  const before = withVerdicts({ 'update-applies': 'violated', 'files-appear': 'violated' });
  const { still } = compare({ ...before, rules: before.rules.toReversed() }, before);
  expect(ids(still)).toEqual(ids(before.rules));
});
