import { describe, expect, test } from 'vitest';
import { changesSummary, compare } from '../../../../conformance/engine/report/compare.js';
import { consoleReport } from '../../../../conformance/engine/report/console.js';
import type {
  Changes,
  Report,
  RuleVerdict,
  Verdict,
  Violation,
} from '../../../../conformance/engine/vocabulary/report.js';
import type { RuleId } from '../../../../generated/rules.js';
import { sampleReport } from '../../../support/report.js';
import { violation } from '../../../support/violations.js';

const report = sampleReport();

const reportOf = (rules: { readonly [rule in RuleId]?: Partial<RuleVerdict> }): Report => ({
  ...report,
  rules: report.rules.flatMap((rule): RuleVerdict[] => {
    const verdict = rules[rule.id];
    return verdict ? [{ ...rule, why: '', operations: {}, violations: [], ...verdict }] : [];
  }),
});

const withVerdicts = (verdicts: { [rule in RuleId]?: Verdict }): Report =>
  reportOf(
    Object.fromEntries(
      Object.entries(verdicts).map(([id, verdict]) => [
        id,
        { verdict, violations: verdict === 'violated' ? [violation({ signature: id })] : [] },
      ]),
    ),
  );

const lists = ({ broken, still, absent, fixed, untested }: Changes) =>
  Object.entries({ broken, still, absent, fixed, untested }).flatMap(([list, all]) =>
    all.map(({ signature, intermittent }) => `${list} ${signature}${intermittent ? ' intermittent' : ''}`),
  );
const told = (before: Report, now: Report) => lists(compare(before, now));

test.each<[string, Verdict | undefined, Verdict | undefined, string]>([
  ['broken', 'passed', 'violated', 'broken'],
  ['broken without having been judged before', 'untested', 'violated', 'broken'],
  ['broken and new', undefined, 'violated', 'broken'],
  ['still broken', 'violated', 'violated', 'still'],
  ['fixed', 'violated', 'passed', 'fixed'],
  ['broken and not judged in this run', 'violated', 'untested', 'untested'],
  ['broken and could not be judged in this run', 'violated', 'inconclusive', 'untested'],
  ['broken and not selected in this run', 'violated', undefined, 'untested'],
  ['passed as before', 'passed', 'passed', ''],
  ['passed and not judged in this run', 'passed', 'untested', ''],
  ['passed for the first time', 'untested', 'passed', ''],
])('a rule that is %s', (_, before, now, want) => {
  const of = (verdict: Verdict | undefined) => withVerdicts(verdict ? { 'status-is-current': verdict } : {});
  const changes = compare(of(before), of(now));
  expect(lists(changes)).toEqual(want ? [`${want} status-is-current`] : []);
  expect(changes.changed).toBe(['broken', 'fixed'].includes(want));
});

describe('with several violations of a rule', () => {
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
      'a missing one is fixed, although the rule is still broken',
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
      'one on an operation that was not tested is no longer judged',
      broken(...on('getExecution', 'a'), ...on('execute', 'b')),
      broken(...on('getExecution', 'a')),
      ['still a', 'untested b'],
    ],
    ['each is fixed if the rule passes', broken(...on('getExecution', 'a', 'b')), held, ['fixed a', 'fixed b']],
  ])('%s', (_, before, now, want) => {
    expect(told(before, now)).toEqual(want);
  });
});

test('a comparison is a section of the report', () => {
  const fault = violation({ signature: 'no 5xx: 500', operation: 'execute' });
  const changes = compare(
    withVerdicts({
      'status-is-current': 'passed',
      'inputs-are-shown': 'violated',
      'queued-starts-by-itself': 'violated',
    }),
    reportOf({
      'status-is-current': { verdict: 'violated', violations: [fault, { ...fault, operation: 'executeSync' }] },
      'inputs-are-shown': { verdict: 'passed' },
      'queued-starts-by-itself': { verdict: 'untested' },
    }),
  );
  expect(consoleReport({ ...report, rules: [], changes }, { width: 120 })).toContain(
    [
      'Since the earlier report',
      '  newly violated: MUST status-is-current · execute: no 5xx: 500',
      '  newly violated: MUST status-is-current · executeSync: no 5xx: 500',
      '  fixed: SHOULD inputs-are-shown · inputs-are-shown',
      '  not judged in this run: MUST queued-starts-by-itself · queued-starts-by-itself',
      '',
    ].join('\n'),
  );
  expect(changesSummary(changes)).toBe('Since 2026-11-03 09:12: 1 rule newly violated (2 failures), 1 rule fixed');
});

test('a comparison without changes reports that', () => {
  const same = withVerdicts({ 'status-is-current': 'passed' });
  const changes = compare(same, same);
  expect(changes.changed).toBe(false);
  expect(changesSummary(changes)).toBe('Since 2026-11-03 09:12: nothing changed');
});

test('finds the same violations in any order of the rules', () => {
  const before = withVerdicts({ 'status-is-current': 'violated', 'queued-starts-by-itself': 'violated' });
  const { still } = compare({ ...before, rules: before.rules.toReversed() }, before);
  expect(still.map(({ rule }) => rule)).toEqual(before.rules.map(({ id }) => id));
});

describe('over several runs', () => {
  /** A run that judged the rule at these steps, and found it violated at some of them. */
  const run = (steps: readonly string[], faults: readonly string[] = [], more: Partial<Report> = {}): Report => {
    const at = faults.map((step) => steps.indexOf(step) + 1);
    const [first, ...others] = at;
    const violations = first ? [violation({ signature: 'a', exchanges: [first], others, count: at.length })] : [];
    const [exchange] = report.exchanges;
    return {
      ...reportOf({ 'status-is-current': { verdict: first ? 'violated' : 'passed', observations: 9, violations } }),
      steps: Object.fromEntries(steps.map((step, index) => [`start/${step}`, index + 1])),
      exchanges: exchange ? steps.map((step, index) => ({ ...exchange, id: index + 1, scenario: 'start', step })) : [],
      ...more,
    };
  };
  const unusable = run([], [], { verdict: 'unusable', rules: [] });
  /** The lists of each run but the first; `!` where the service changed. */
  const over = (...runs: readonly Report[]) => {
    let [before = unusable] = runs;
    return runs.slice(1).map((one) => {
      const changes = compare(before, one);
      before = { ...one, changes };
      return [...(changes.changed ? ['!'] : []), ...lists(changes)].join(' ');
    });
  };
  const [all, few] = [['x', 'y', 'z'], ['z']];

  test.each<[string, readonly Report[], readonly string[]]>([
    [
      'a smaller run without a step keeps the violation of that step',
      [run(all, ['x']), run(few), run(all, ['x']), run(all)],
      ['untested a', 'still a', '! fixed a'],
    ],
    [
      'an outage is reported once, and so is its end',
      [run(all, ['x']), unusable, unusable, run(all, ['x'])],
      ['!', '', '! still a'],
    ],
    [
      'a run that was stopped before it judged a rule reports no outage',
      [unusable, run([], [], { verdict: 'incomplete', rules: [] }), run(all)],
      ['', '!'],
    ],
    ['a violation that one run does not have is fixed', [run(all, ['x']), run(all), run(all)], ['! fixed a', '']],
    [
      'a violation that comes back is intermittent, and fixed after seven runs without it',
      [run(all), run(all, ['x']), run(all), run(all, ['x']), ...Array.from({ length: 7 }, () => run(all))],
      [
        '! broken a',
        '! fixed a',
        'still a intermittent',
        ...Array.from({ length: 6 }, () => 'absent a intermittent'),
        '! fixed a intermittent',
      ],
    ],
    [
      'a violation that comes back after seven runs is a new one',
      [run(all, ['x']), ...Array.from({ length: 7 }, () => run(all)), run(all, ['x'])],
      ['! fixed a', ...Array.from({ length: 6 }, () => ''), '! broken a'],
    ],
  ])('%s', (_, runs, want) => {
    expect(over(...runs)).toEqual(want);
  });

  test('the last line reports an outage and its end', () => {
    const [begins, ends] = [compare(run(all), unusable), compare(unusable, run(all))];
    expect([begins, ends].map((changes) => changesSummary(changes).slice(24))).toEqual([
      'no longer usable',
      'usable again',
    ]);
  });
});
