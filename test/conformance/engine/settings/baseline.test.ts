import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  type BaselineEntry,
  baselineText,
  compareWithBaseline,
  parseBaseline,
} from '../../../../conformance/engine/settings/baseline.js';
import schema from '../../../../conformance/engine/settings/baseline.schema.json' with { type: 'json' };
import type { Verdict, Violation } from '../../../../conformance/engine/vocabulary/report.js';
import { operationIds } from '../../../../generated/operations.js';
import { sampleReport } from '../../../support/report.js';
import { verdict } from '../../../support/verdicts.js';
import { violation } from '../../../support/violations.js';

describe('a baseline file', () => {
  it('is a list of entries', () => {
    const entries = [
      { rule: 'terminal-is-final', operation: 'run', signature: 'a', reason: 'known since June' },
      { rule: 'sync-timeout-range', verdict: 'inconclusive', reason: 'slow', owner: 'team', expires: '2027-01-31' },
    ];
    expect(parseBaseline('b.yaml', stringify(entries))).toEqual(entries);
  });

  it('may be empty', () => {
    expect(parseBaseline('b.yaml', '# nothing\n')).toEqual([]);
  });

  const start = '- {rule: terminal-is-final, verdict: inconclusive, reason: x';
  it.each([
    [
      '- {rule: terminal-is-fnal, verdict: inconclusive, reason: x}',
      '1:4: terminal-is-fnal: there is no such rule; did you mean terminal-is-final?',
    ],
    [
      '- {rule: nonesuch, verdict: inconclusive, reason: x}',
      '1:4: nonesuch: there is no such rule; "npx workflow-execution-contract rules" lists them.',
    ],
    ['- {rule: terminal-is-final, reason: x, operation: run}', '1:3: terminal-is-final: signature is missing.'],
    ['- {rule: terminal-is-final, verdict: inconclusive}', '1:3: terminal-is-final: reason is missing.'],
    [`${start}, owner: ""}`, '1:63: terminal-is-final: owner must not be empty.'],
    [`${start}, expire: 2027-01-31}`, '1:63: terminal-is-final: expire is unknown; did you mean expires?'],
    [`${start}, expires: soon}`, '1:63: terminal-is-final: expires must be a date such as 2027-01-31.'],
    [`${start}, expires: 2027-13-01}`, '1:63: terminal-is-final: expires must be a date such as 2027-01-31.'],
    [`${start}, operation: execut}`, '1:63: terminal-is-final: operation must be one of execute, '],
    ['rules: []', '1:1: not a list of rules; "npx workflow-execution-contract baseline report.json" prints it.'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseBaseline('b.yaml', text)).toThrow(`b.yaml:${message}`);
  });
});

describe('an entry', () => {
  const rule = 'response-matches-schema';
  const [a, b] = ['a', 'b'].map((signature) => violation({ signature, operation: 'getExecution' }));
  const elsewhere = violation({ signature: 'a', operation: 'execute' });
  const nowhere = violation({ signature: 'a' });
  const onA = { rule, operation: 'getExecution', signature: 'a', reason: 'known' } as const;
  const unsure = { rule, verdict: 'inconclusive', reason: 'known' } as const;
  const operations = { getExecution: { observations: 5, violations: 0 } };
  const [old, current] = [{ expires: '2027-01-30' }, { expires: '2027-01-31' }];
  type Extent = Parameters<typeof compareWithBaseline>[3];

  /** `known`: the violations that it covers; `all`: so does it the rule. */
  it.each<
    [
      string,
      readonly BaselineEntry[],
      Verdict | readonly (Violation | undefined)[],
      { known?: string; all?: true; stale?: string; remark?: string },
      Extent?,
    ]
  >([
    ['covers its violation', [onA], [a], { known: 'a', all: true }],
    ['covers its violation on its last day', [{ ...onA, ...current }], [a], { known: 'a', all: true }],
    ['covers none once it has expired', [{ ...onA, ...old }], [a], { stale: 'getExecution expired on 2027-01-30' }],
    ['does not cover another one', [onA], [a, b], { known: 'a' }],
    ['is out of date if only another one is left', [onA], [b], { stale: 'violated in other ways only, not by "a"' }],
    ['is out of date if it is left on another operation', [onA], [elsewhere], { stale: 'not by "a"' }],
    [
      'of the run covers what belongs to no operation',
      [{ ...onA, operation: 'run' }],
      [a, nowhere],
      { known: 'a (run)' },
    ],
    ['covers with others a whole rule', [onA, { ...onA, signature: 'b' }], [a, b], { known: 'a b', all: true }],
    [
      'stays if its operation was not judged',
      [{ ...onA, operation: 'execute' }],
      [a],
      { remark: 'execute (violated)' },
    ],
    ['is out of date if its rule passes', [onA], 'passed', { stale: 'response-matches-schema passes now' }],
    ['stays if its rule was not judged', [onA], 'untested', { remark: 'getExecution (untested)' }],
    ['expires even then', [{ ...onA, ...old }], 'untested', { stale: 'expired on 2027-01-30' }],
    ['stays if its rule is inconclusive', [onA], 'inconclusive', { remark: 'getExecution (inconclusive)' }],
    ['of an inconclusive rule covers it', [unsure], 'inconclusive', { all: true }],
    ['of an inconclusive rule expires', [{ ...unsure, ...old }], 'inconclusive', { stale: 'expired on 2027-01-30' }],
    ['of an inconclusive rule stays if it passes', [unsure], 'passed', { remark: 'schema (passed)' }],
    ['of an inconclusive rule covers no violation', [unsure], [a], { remark: 'schema (violated)' }],
    [
      'is out of date if its step was judged',
      [{ ...onA, step: 'start/rich' }],
      'passed',
      { stale: 'passes now' },
      { steps: { 'start/rich': 7 }, isWhole: false },
    ],
    [
      'stays if its step was not judged',
      [{ ...onA, step: 'start/rich' }],
      'passed',
      { remark: 'getExecution (passed)' },
      { steps: { 'read/first': 7 }, isWhole: true },
    ],
    ['stays after a smaller run', [onA], 'passed', { remark: '(passed)' }, { steps: {}, isWhole: false }],
  ])('%s', (_, baseline, found, want, extent) => {
    const violations = typeof found === 'string' ? [] : found.flatMap((one) => one ?? []);
    const of = typeof found === 'string' ? found : 'violated';
    const other = verdict({ id: 'sync-timeout-range', verdict: 'violated' });
    const compared = compareWithBaseline(
      [verdict({ id: rule, verdict: of, violations, operations }), other],
      baseline,
      '2027-01-31',
      extent,
    );
    const [mine, others] = compared.rules;
    const named = ({ signature, operation }: Violation) =>
      operation === 'getExecution' ? signature : `${signature} (${operation ?? 'run'})`;
    expect(
      mine?.violations
        .filter(({ known }) => known)
        .map(named)
        .join(' '),
    ).toBe(want.known ?? '');
    expect(mine?.known).toBe(want.all);
    expect(others).toEqual(other);
    expect(compared.stale).toEqual(want.stale ? [expect.stringContaining(want.stale)] : []);
    expect(compared.remarks).toEqual(want.remark ? [expect.stringContaining(want.remark)] : []);
  });

  it('of a rule that this run does not judge is left alone', () => {
    expect(compareWithBaseline([], [onA], '2027-01-31')).toEqual({ rules: [], stale: [], remarks: [] });
  });
});

describe('the baseline of a run', () => {
  const faults = [
    violation({ signature: 'a', operation: 'execute', actual: "'completed' # then", exchanges: [1] }),
    violation({ signature: 'b' }),
  ];
  const rules = [
    verdict({ id: 'response-matches-schema', verdict: 'violated', violations: faults }),
    verdict({ id: 'queued-starts-by-itself', verdict: 'inconclusive', why: 'Nothing came.' }),
    verdict({ id: 'execution-progresses', verdict: 'passed' }),
  ];

  const [one] = sampleReport({ exchanges: 1 }).exchanges;
  const exchanges = one ? [{ ...one, scenario: 'start', step: 'rich-2' }] : [];
  const report = { rules, exchanges };

  it('has its failures, each with the actual value as the reason', () => {
    expect(parseBaseline('b.yaml', baselineText(report))).toEqual([
      {
        rule: 'response-matches-schema',
        operation: 'execute',
        signature: 'a',
        step: 'start/rich',
        reason: "expected: a refusal; actual: 'completed' # then",
      },
      { rule: 'response-matches-schema', operation: 'run', signature: 'b', reason: 'expected: a refusal; actual: 202' },
      { rule: 'queued-starts-by-itself', verdict: 'inconclusive', reason: 'Nothing came.' },
    ]);
  });

  it('makes them known, and leaves none out of date', () => {
    const { rules: held, stale } = compareWithBaseline(rules, parseBaseline('b', baselineText(report)), '2027-01-31');
    expect(held.filter(({ known }) => known)).toHaveLength(2);
    expect(stale).toEqual([]);
  });

  it('of a run without failures is an empty one', () => {
    expect(parseBaseline('b.yaml', baselineText({ ...report, rules: [] }))).toEqual([]);
  });
});

it('an entry may be on each operation of the interface, and on the run', () => {
  expect(schema.items.properties.operation.enum).toEqual([...operationIds, 'run']);
});
