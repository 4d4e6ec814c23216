import { describe, expect, it } from 'vitest';
import {
  type BaselineEntry,
  baselineText,
  compareWithBaseline,
  parseBaseline,
} from '../../../../conformance/engine/settings/baseline.js';
import schema from '../../../../conformance/engine/settings/baseline.schema.json' with { type: 'json' };
import type { RuleVerdict, Verdict, Violation } from '../../../../conformance/engine/vocabulary.js';
import { operationIds } from '../../../../generated/operations.js';
import { sampleReport } from '../../../support/report.js';
import { verdict } from '../../../support/verdicts.js';
import { violation } from '../../../support/violations.js';

describe('a baseline file', () => {
  it('is a list of entries', () => {
    const text = `
- rule: terminal-is-final
  reason: known since June
- rule: sync-timeout-range
  reason: "26 is taken"
  owner: team-sync
  expires: 2027-01-31
`;
    expect(parseBaseline('b.yaml', text)).toEqual([
      { rule: 'terminal-is-final', reason: 'known since June' },
      { rule: 'sync-timeout-range', reason: '26 is taken', owner: 'team-sync', expires: '2027-01-31' },
    ]);
  });

  it('may be empty', () => {
    expect(parseBaseline('b.yaml', '# nothing\n')).toEqual([]);
  });

  it.each([
    [
      '- {rule: terminal-is-fnal, reason: x}',
      '1:4: there is no rule terminal-is-fnal; did you mean terminal-is-final?',
    ],
    ['- {rule: nonesuch, reason: x}', '1:4: there is no rule nonesuch; "workflow-contract rules" lists them.'],
    ['- {rule: terminal-is-final}', '1:3: [0].reason is missing.'],
    ['- {rule: terminal-is-final, reason: ""}', '1:29: [0].reason must not be empty.'],
    [
      '- {rule: terminal-is-final, reason: x, expire: 2027-01-31}',
      '1:40: [0].expire is unknown; did you mean [0].expires?',
    ],
    ['- {rule: terminal-is-final, reason: x, expires: soon}', '1:40: expires must be a date such as 2027-01-31.'],
    ['- {rule: terminal-is-final, reason: x, expires: 2027-02-30}', '1:40: expires must be a date'],
    [
      '- {rule: terminal-is-final, reason: x}\n- {rule: terminal-is-final, reason: y}',
      '2:4: terminal-is-final is listed twice.',
    ],
    [
      '- {rule: terminal-is-final, operation: execut, reason: x}',
      '1:29: [0].operation has an unknown value; did you mean execute?',
    ],
    [
      '- {rule: terminal-is-final, verdict: inconclusive, signature: a, reason: x}',
      '1:52: what could not be judged has no signature; take it out.',
    ],
    ...['metadata.camelCase …, as given at the start', 'a refusal of timeoutSeconds 26: 202'].map((signature) => [
      `- {rule: terminal-is-final, reason: x, signature: "${signature}"}`,
      '1:40: an older version of the suite wrote this baseline; write it anew: workflow-contract baseline REPORT > FILE',
    ]),
    ['rules: []', '1:1: this is not a baseline (a list of rules); workflow-contract baseline prints one.'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseBaseline('b.yaml', text)).toThrow(`b.yaml:${message}`);
  });
});

describe('an entry for a rule', () => {
  const today = '2027-01-31';
  const compare = (outcome: Verdict, expires?: string) =>
    compareWithBaseline(
      [verdict({ id: 'terminal-is-final', verdict: outcome })],
      [{ rule: 'terminal-is-final', reason: 'known', ...(expires && { expires }) }],
      today,
    );

  it.each<[Verdict, string | undefined, { known?: true; stale?: string; remark?: string }]>([
    ['violated', undefined, { known: true, remark: 'Wide entries of the baseline' }],
    ['violated', '2027-01-31', { known: true, remark: 'Wide entries of the baseline' }],
    ['violated', '2027-01-30', { stale: 'expired on 2027-01-30' }],
    ['passed', undefined, { stale: 'passes now' }],
    ['untested', undefined, { remark: 'left it untested' }],
    ['not-applicable', undefined, { remark: 'left it not-applicable' }],
    ['inconclusive', undefined, { remark: 'left it inconclusive' }],
    ['untested', '2027-01-30', { stale: 'expired' }],
  ])('that is %s, valid until %s: %j', (outcome, expires, want) => {
    const { rules, stale, remarks } = compare(outcome, expires);
    expect(rules[0]?.known).toBe(want.known);
    expect(stale).toEqual(want.stale ? [expect.stringContaining(want.stale)] : []);
    expect(remarks).toEqual(want.remark ? [expect.stringContaining(want.remark)] : []);
  });

  it('that this run does not judge is left alone', () => {
    expect(compareWithBaseline([], [{ rule: 'terminal-is-final', reason: 'known' }], today)).toEqual({
      rules: [],
      stale: [],
      remarks: [],
    });
  });

  it('does not concern another rule', () => {
    const other: RuleVerdict = verdict({ id: 'sync-timeout-range', verdict: 'violated' });
    const { rules } = compareWithBaseline([other], [{ rule: 'terminal-is-final', reason: 'known' }], today);
    expect(rules).toEqual([other]);
  });
});

describe('an entry for one violation of a rule', () => {
  const [a, b] = ['a', 'b'].map((signature) => violation({ signature, operation: 'getExecution' }));
  const elsewhere = violation({ signature: 'a', operation: 'execute' });
  const nowhere = violation({ signature: 'a' });
  const entry = { rule: 'response-matches-schema', reason: 'known' } as const;
  const onA = { ...entry, operation: 'getExecution', signature: 'a' } as const;
  const judged = { getExecution: { observations: 5, violations: 0 } };

  it.each<
    [
      string,
      readonly BaselineEntry[],
      readonly (Violation | undefined)[],
      { known: string; all?: true; stale?: string; remark?: string },
    ]
  >([
    ['the same', [onA], [a], { known: 'a', all: true }],
    ['the same and another', [onA], [a, b], { known: 'a' }],
    ['another alone', [onA], [b], { known: '', stale: 'is broken in other ways only, not by "a"' }],
    ['the same on another operation', [onA], [elsewhere], { known: '', stale: 'not by "a"' }],
    ['the same of no operation', [{ ...onA, operation: 'run' }], [a, nowhere], { known: 'a (run)' }],
    ['any operation', [{ ...entry, signature: 'a' }], [a, elsewhere], { known: 'a a (execute)', all: true }],
    [
      'any violation on the operation',
      [{ ...entry, operation: 'getExecution' }],
      [a, b, elsewhere],
      { known: 'a b', remark: 'Wide' },
    ],
    ['both', [onA, { ...onA, signature: 'b' }], [a, b], { known: 'a b', all: true }],
    [
      'an operation that was not tested',
      [{ ...onA, operation: 'execute' }],
      [a],
      { known: '', remark: 'did not look at that operation' },
    ],
    [
      'an inconclusive rule',
      [{ ...entry, verdict: 'inconclusive' }],
      [a],
      { known: '', remark: 'to be in doubt; this run saw it broken' },
    ],
  ])('%s', (_, baseline, violations, want) => {
    const rule = verdict({
      id: 'response-matches-schema',
      verdict: 'violated',
      violations: violations.flatMap((one) => one ?? []),
      operations: judged,
    });
    const { rules, stale, remarks } = compareWithBaseline([rule], baseline, '2027-01-31');
    const known = rules[0]?.violations.filter((one) => one.known);
    const named = ({ signature, operation }: Violation) =>
      operation === 'getExecution' ? signature : `${signature} (${operation ?? 'run'})`;
    expect(known?.map(named).join(' ')).toBe(want.known);
    expect(rules[0]?.known).toBe(want.all);
    expect(stale).toEqual(want.stale ? [expect.stringContaining(want.stale)] : []);
    expect(remarks).toEqual(want.remark ? [expect.stringContaining(want.remark)] : []);
  });

  it.each<[Verdict, { known?: true; stale?: string; remark?: string }, expires?: string]>([
    ['inconclusive', { known: true }],
    ['inconclusive', { known: true }, '2027-01-31'],
    ['inconclusive', { stale: 'expired on 2027-01-30' }, '2027-01-30'],
    ['passed', { remark: 'saw it hold: where it always does, take the entry out' }],
    ['passed', { stale: 'expired on 2027-01-30' }, '2027-01-30'],
    ['untested', { remark: 'this run left it untested' }],
  ])('for a rule that is inconclusive on some days: it is %s', (outcome, want, expires) => {
    const { rules, stale, remarks } = compareWithBaseline(
      [verdict({ id: entry.rule, verdict: outcome })],
      [{ ...entry, verdict: 'inconclusive', ...(expires && { expires }) }],
      '2027-01-31',
    );
    expect(rules[0]?.known).toBe(want.known);
    expect(stale).toEqual(want.stale ? [expect.stringContaining(want.stale)] : []);
    expect(remarks).toEqual(want.remark ? [expect.stringContaining(want.remark)] : []);
  });
});

it.each<[string, Partial<BaselineEntry>, Parameters<typeof compareWithBaseline>[3], string[]]>([
  [
    'whose step was judged is out of date',
    { step: 'start/rich' },
    { steps: { 'start/rich': 7 }, isWhole: false },
    ['x'],
  ],
  ['whose step was not judged stays', { step: 'start/rich' }, { steps: { 'read/first': 7 }, isWhole: true }, []],
  ['without a step stays after a smaller run', {}, { steps: {}, isWhole: false }, []],
  ['without a step is out of date after a whole run', {}, { steps: {}, isWhole: true }, ['x']],
])('an entry of a rule that passes and %s', (_, entry, extent, want) => {
  const rules = [verdict({ id: 'terminal-is-final', verdict: 'passed' })];
  const { stale, remarks } = compareWithBaseline(
    rules,
    [{ rule: 'terminal-is-final', reason: 'known', ...entry }],
    '2027-01-31',
    extent,
  );
  expect(stale).toEqual(want.map(() => 'terminal-is-final passes now'));
  expect(remarks).toHaveLength(1 - want.length);
});

describe('the baseline of a run', () => {
  const faults = [
    violation({ signature: 'a', operation: 'execute', actual: '"x"', exchanges: [1] }),
    violation({ signature: 'b' }),
  ];
  const rules = [
    verdict({ id: 'response-matches-schema', verdict: 'violated', violations: faults }),
    verdict({ id: 'queued-starts-by-itself', verdict: 'inconclusive', why: 'Nothing came.' }),
    verdict({ id: 'terminal-is-final', verdict: 'violated', why: "expected: x; actual: 'completed' # then running" }),
    verdict({ id: 'execution-progresses', verdict: 'passed' }),
    verdict({ id: 'no-server-errors', level: 'SHOULD', verdict: 'violated', why: 'expected: 4xx; actual: 500' }),
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
        reason: 'expected: a refusal; actual: "x"',
      },
      { rule: 'response-matches-schema', operation: 'run', signature: 'b', reason: 'expected: a refusal; actual: 202' },
      { rule: 'queued-starts-by-itself', verdict: 'inconclusive', reason: 'Nothing came.' },
      { rule: 'terminal-is-final', reason: "expected: x; actual: 'completed' # then running" },
      { rule: 'no-server-errors', reason: 'expected: 4xx; actual: 500' },
    ]);
  });

  it('makes them known, and leaves none out of date', () => {
    const { rules: held, stale } = compareWithBaseline(rules, parseBaseline('b', baselineText(report)), '2027-01-31');
    expect(held.filter(({ known }) => known)).toHaveLength(4);
    expect(stale).toEqual([]);
  });

  it('of a run without failures is an empty one', () => {
    expect(parseBaseline('b.yaml', baselineText({ ...report, rules: [] }))).toEqual([]);
  });
});

it('an entry may be on each operation of the interface, and on the run', () => {
  expect(schema.items.properties.operation.enum).toEqual([...operationIds, 'run']);
});
