import { describe, expect, test } from 'vitest';
import { changesSummary, changesText, compare } from '../../../../conformance/engine/report/compare.js';
import { markdown } from '../../../../conformance/engine/report/markdown.js';
import type { Change, Report } from '../../../../conformance/engine/vocabulary/report.js';
import type { RuleVerdict, Verdict, Violation } from '../../../../conformance/engine/vocabulary.js';
import type { RuleId } from '../../../../generated/rules.js';
import { hostile, sampleReport } from '../../../support/report.js';
import { violation } from '../../../support/violations.js';

const report = sampleReport();

const reportOf = (rules: { readonly [rule in RuleId]?: Partial<RuleVerdict> }): Report => ({
  ...report,
  rules: report.rules.flatMap((rule): RuleVerdict[] => {
    const verdict = rules[rule.id];
    return verdict ? [{ ...rule, why: '', operations: {}, violations: [], ...verdict }] : [];
  }),
});

const withVerdicts = (verdicts: { [rule in RuleId]?: Verdict }, why = ''): Report =>
  reportOf(Object.fromEntries(Object.entries(verdicts).map(([id, verdict]) => [id, { verdict, why }])));

/** The lists with what is in them: the signature, or the rule where there is none. */
function told(before: Report, now: Report) {
  return Object.entries(compare(before, now)).flatMap(([list, all]) =>
    Array.isArray(all) ? (all as Change[]).map(({ signature, rule }) => `${list} ${signature ?? rule}`) : [],
  );
}

test.each<[string, Verdict | undefined, Verdict | undefined, string]>([
  ['broken', 'passed', 'violated', 'broken'],
  ['broken without having been judged before', 'untested', 'violated', 'broken'],
  ['broken and new', undefined, 'violated', 'broken'],
  ['still broken', 'violated', 'violated', 'still'],
  ['fixed', 'violated', 'passed', 'fixed'],
  ['no longer judged', 'passed', 'untested', 'untested'],
  ['no longer judged, not fixed', 'violated', 'untested', 'untested'],
  ['in doubt, and was broken', 'violated', 'inconclusive', 'inDoubt'],
  ['in doubt, and held', 'passed', 'inconclusive', 'inDoubt'],
  ['in doubt as before', 'inconclusive', 'inconclusive', ''],
  ['no longer among the rules', 'violated', undefined, 'untested'],
  ['held as before', 'passed', 'passed', ''],
  ['judged at last', 'untested', 'passed', 'held'],
  ['no longer in doubt', 'inconclusive', 'passed', 'held'],
  ['untested as before', 'untested', 'untested', ''],
])('a rule that is %s', (_, before, now, want) => {
  const of = (verdict: Verdict | undefined) => withVerdicts(verdict ? { 'status-is-current': verdict } : {});
  expect(told(of(before), of(now))).toEqual(want ? [`${want} status-is-current`] : []);
});

describe('of a rule that is broken in several ways', () => {
  const on = (operation: Violation['operation'], ...signatures: string[]) =>
    signatures.map((signature) => violation({ signature, operation }));
  const broken = (...violations: Violation[]): Report => {
    const operations = Object.fromEntries(
      [...violations, ...on('getExecution', '')].map(({ operation }) => [
        operation,
        { observations: 1, violations: 1 },
      ]),
    );
    return reportOf({ 'response-matches-schema': { verdict: 'violated', violations, operations } });
  };
  const held = withVerdicts({ 'response-matches-schema': 'passed' });

  test.each<[string, Report, Report, string[]]>([
    [
      'a new one is newly broken, beside one that is still there',
      broken(...on('getExecution', 'a')),
      broken(...on('getExecution', 'a', 'b')),
      ['broken b', 'still a'],
    ],
    [
      'one that is gone is fixed, though the rule is still broken',
      broken(...on('getExecution', 'a', 'b')),
      broken(...on('getExecution', 'b')),
      ['still b', 'fixed a'],
    ],
    [
      'the same on another operation is another',
      broken(...on('getExecution', 'a')),
      broken(...on('getExecution', 'a'), ...on('execute', 'a')),
      ['broken a', 'still a'],
    ],
    [
      'one on an operation that was not looked at is no longer judged',
      broken(...on('getExecution', 'a'), ...on('execute', 'b')),
      broken(...on('getExecution', 'a')),
      ['still a', 'untested b'],
    ],
    ['each is fixed where the rule holds', broken(...on('getExecution', 'a', 'b')), held, ['fixed a', 'fixed b']],
  ])('%s', (_, before, now, want) => {
    expect(told(before, now)).toEqual(want);
  });
});

test('is told in lines, and in Markdown', () => {
  const fault = violation({ signature: 'no 5xx: 500', operation: 'execute' });
  const changes = compare(
    withVerdicts({
      'status-is-current': 'passed',
      'inputs-are-shown': 'violated',
      'queued-starts-by-itself': 'passed',
    }),
    reportOf({
      'status-is-current': { verdict: 'violated', violations: [fault] },
      'inputs-are-shown': { verdict: 'passed' },
      'queued-starts-by-itself': { verdict: 'untested', why: 'because' },
    }),
  );
  expect(changesText(changes)).toBe(
    [
      'Since the report of 2026-11-03T09:12:44.000Z:',
      '1 newly broken:',
      '  MUST status-is-current · execute: no 5xx: 500',
      '1 fixed:',
      '  SHOULD inputs-are-shown',
      '1 no longer judged:',
      '  MUST queued-starts-by-itself · because',
      '',
    ].join('\n'),
  );
  expect(markdown({ ...report, changes })).toContain(
    '| newly broken | `status-is-current · execute: no 5xx: 500` |\n| fixed | `inputs-are-shown` |',
  );
});

test('says so where nothing changed', () => {
  const same = withVerdicts({ 'status-is-current': 'passed' });
  const changes = compare(same, same);
  expect(changes.changed).toBe(false);
  expect(changesText(changes)).toMatch(/nothing changed and no rule is broken/);
  expect(changesSummary(changes)).toBe('Since 2026-11-03 09:12: nothing changed');
});

test('shows what text of either report would do, and does not do it', () => {
  const before = { ...withVerdicts({ 'status-is-current': 'passed' }), startedAt: hostile };
  const text = changesText(compare(before, withVerdicts({ 'status-is-current': 'violated' }, hostile)));
  expect(text.split('\n')).toHaveLength(4);
  expect(text.replaceAll('\n', '').match(/\p{Cc}/u)).toBeNull();
});

test('finds the same violations whatever the order of the rules', () => {
  const before = withVerdicts({ 'status-is-current': 'violated', 'queued-starts-by-itself': 'violated' });
  const { still } = compare({ ...before, rules: before.rules.toReversed() }, before);
  expect(still.map(({ rule }) => rule)).toEqual(before.rules.map(({ id }) => id));
});

test('a verdict that is another is a change, whatever became of the rules', () => {
  const rules = withVerdicts({ 'status-is-current': 'passed' });
  const changes = compare({ ...rules, verdict: 'incomplete' }, { ...rules, verdict: 'conformant' });
  expect(changes).toMatchObject({ changed: true, verdict: 'incomplete' });
  expect(changesSummary(changes)).toBe('Since 2026-11-03 09:12: was incomplete');
});

test('of a target that cannot be reached no rule is told to be no longer judged', () => {
  const changes = compare(withVerdicts({ 'status-is-current': 'passed' }), {
    ...withVerdicts({ 'status-is-current': 'untested' }),
    verdict: 'unusable',
  });
  expect(changes).toMatchObject({ changed: true, untested: [] });
});

test('many rules of which no more is to be told are named in a line', () => {
  const ids = report.rules.slice(0, 13).map(({ id }) => id);
  const of = (verdict: Verdict) => withVerdicts(Object.fromEntries(ids.map((id) => [id, verdict])));
  expect(changesText(compare(of('untested'), of('passed')))).toContain(`13 newly passed:\n  ${ids.join(', ')}\n`);
});
