import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { junit } from '../../../../conformance/engine/report/junit.js';
import type { Report } from '../../../../conformance/engine/vocabulary/report.js';
import type { RuleVerdict } from '../../../../conformance/engine/vocabulary.js';
import type { RuleId } from '../../../../generated/rules.js';
import { callerVerdicts, sampleReport } from '../../../support/report.js';
import { violation } from '../../../support/violations.js';

const schema = readFileSync(new URL('../../../fixtures/junit.xsd', import.meta.url), 'utf8');
const report = sampleReport();

const validate = async (xml: string) => {
  const { valid, errors } = await validateXML({ xml: { fileName: 'report.xml', contents: xml }, schema });
  return { valid, errors: errors.slice(0, 3).map(({ message }) => message.slice(0, 300)) };
};

describe('the report is valid by the schema:', () => {
  test.each<[string, string]>([
    ['tame', junit(report)],
    ['with hostile text everywhere', junit({ ...sampleReport({ hostile: true }), callers: callerVerdicts })],
    ['strict', junit(report, { strict: true })],
    ['unusable', junit({ ...report, verdict: 'unusable', reason: '<\u0000>', rules: [] })],
  ])('%s', async (_, xml) => {
    expect(await validate(xml)).toEqual({ valid: true, errors: [] });
  });

  test('the validator of these tests finds errors', async () => {
    const xml = junit(report);
    expect((await validate(xml.replace('<properties>', '<properties odd="1">'))).valid).toBe(false);
    expect((await validate(xml.replace('name="execute"', 'name="a\u0001b"'))).valid).toBe(false);
  });
});

/** The report of one rule alone, and its cases: operation, result and message. */
function cases(id: RuleId, more: Partial<RuleVerdict>, options?: { strict?: boolean }): string[] {
  const rule = report.rules.find((one) => one.id === id);
  if (!rule) throw new Error(`the sample has no ${id}`);
  const alone: Report = { ...report, rules: [{ ...rule, ...more }] };
  return [
    ...junit(alone, options).matchAll(
      /<testcase name="([\w-]+)" classname="workflow-contract\.(\w+)" time="[\d.]+"(.*)/g,
    ),
  ].map(([, name, place, rest]) => {
    const inner = /^><([\w-]+)(?: message="([^"]*)")?/.exec(rest ?? '');
    return [place, name, inner?.[1] ?? 'passed', ...(inner?.[2] ? [inner[2]] : [])].join(' ');
  });
}

const clean = { violations: [], exchanges: [], known: undefined } as unknown as Partial<RuleVerdict>;
const seenOn = (...counts: [observations: number, violations: number][]) => ({
  observations: counts.reduce((sum, [observations]) => sum + observations, 0),
  operations: Object.fromEntries(
    counts.map(([observations, violations], index) => [
      ['execute', 'executeSync'][index] ?? '',
      { observations, violations },
    ]),
  ),
});
const one = violation({ operation: 'execute', exchanges: [8] });
const another = violation({ operation: 'execute', expected: 'a 4xx', actual: '500', count: 3 });

describe('a rule has a case on each of its operations', () => {
  const rule = 'head-excludes-version';
  test.each<[string, Partial<RuleVerdict>, string[]]>([
    ['passed on both', { verdict: 'passed', ...seenOn([1, 0], [1, 0]) }, ['execute passed', 'executeSync passed']],
    [
      'passed on one, untested on the other',
      { verdict: 'passed', ...seenOn([1, 0]) },
      ['execute passed', 'executeSync skipped Nothing was seen of it on this operation.'],
    ],
    [
      'broken on one, passed on the other',
      { verdict: 'violated', violations: [one], ...seenOn([2, 1], [1, 0]) },
      ['execute failure expected: a refusal; actual: 202 (1 of 2 times)', 'executeSync passed'],
    ],
    [
      'broken, and known',
      { verdict: 'violated', violations: [one], known: true, ...seenOn([2, 1], [1, 0]) },
      ['execute skipped known failure: expected: a refusal; actual: 202 (1 of 2 times)', 'executeSync passed'],
    ],
    [
      'with two violations',
      { verdict: 'violated', violations: [one, another], ...seenOn([5, 4], [1, 0]) },
      ['execute failure expected: a refusal; actual: 202 (1 of 5 times) (and 1 more: a 4xx)', 'executeSync passed'],
    ],
    [
      'with two violations, one of them known',
      { verdict: 'violated', violations: [{ ...one, known: true }, another], ...seenOn([5, 4], [1, 0]) },
      ['execute failure expected: a 4xx; actual: 500 (3 of 5 times)', 'executeSync passed'],
    ],
    [
      'broken on both, and known on one',
      {
        verdict: 'violated',
        violations: [
          { ...one, known: true },
          { ...another, operation: 'executeSync' },
        ],
        ...seenOn([1, 1], [3, 3]),
      },
      [
        'execute skipped known failure: expected: a refusal; actual: 202',
        'executeSync failure expected: a 4xx; actual: 500 (3 of 3 times)',
      ],
    ],
    [
      'inconclusive, and known',
      { verdict: 'inconclusive', why: 'No answer.', known: true, ...seenOn() },
      [
        'execute skipped known to be inconclusive: No answer.',
        'executeSync skipped known to be inconclusive: No answer.',
      ],
    ],
    [
      'untested',
      { verdict: 'untested', why: 'To judge it, declare profile.', ...seenOn() },
      ['execute skipped To judge it, declare profile.', 'executeSync skipped To judge it, declare profile.'],
    ],
    [
      'inconclusive on one, passed on the other',
      { verdict: 'inconclusive', why: 'No answer.', exchanges: [8], ...seenOn([0, 0], [1, 0]) },
      ['execute error No answer.', 'executeSync passed'],
    ],
    [
      'inconclusive without evidence',
      { verdict: 'inconclusive', why: 'No answer.', ...seenOn() },
      ['execute error No answer.', 'executeSync error No answer.'],
    ],
    [
      'broken by a request of no operation',
      {
        verdict: 'violated',
        violations: [{ ...one, operation: null }],
        ...seenOn([1, 0], [1, 0]),
        observations: 3,
      },
      ['execute passed', 'executeSync passed', 'run failure expected: a refusal; actual: 202'],
    ],
  ])('%s', (_, verdict, want) => {
    expect(cases(rule, { ...clean, ...verdict })).toEqual(
      want.map((row) => row.replace(/^(\w+) /, (_all, place) => `${place} ${rule} `)),
    );
  });
});

test('a broken SHOULD passes with a warning, and fails under strict', () => {
  const verdict = { verdict: 'violated', violations: [one], ...seenOn([1, 1]) } as const;
  expect(cases('execute-body-is-typed', { ...clean, ...verdict })[0]).toBe('execute execute-body-is-typed system-out');
  expect(cases('execute-body-is-typed', { ...clean, ...verdict }, { strict: true })[0]).toMatch(/ failure expected/);
});

test('a failure has the exchange, the body of the answer and the command that repeats it', () => {
  expect(junit(report)).toMatch(
    /#8 POST \/agents\/v2\/workflows\/[\w-]+\/execute → 202, 83 ms\n\{.*\}\ncurl -sS -i -X POST/,
  );
});

test('counts are those of the cases', () => {
  const xml = junit(report);
  const [, tests, failures, errors] = /<testsuites.* tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml) ?? [];
  const count = (part: string) => String(xml.split(part).length - 1);
  expect({ tests, failures, errors }).toEqual({
    tests: count('<testcase '),
    failures: count('<failure '),
    errors: count('<error '),
  });
  expect(Number(errors)).toBe(1);
});

test('rules for callers never fail', () => {
  const xml = junit({ ...report, rules: [], callers: callerVerdicts }, { strict: true });
  expect(xml).toContain('failures="0"');
  expect(xml).toContain('<system-out>warning: expected: a look-up');
});

test('an entry of the baseline that is out of date fails a case of its own, and is named in the summary', () => {
  const xml = junit({ ...report, verdict: 'nonconformant', rules: [], stale: ['queue-is-oldest-first passes now'] });
  const says = 'queue-is-oldest-first passes now. Remove its entry.';
  expect(xml).toContain(
    `<testcase name="baseline-is-up-to-date" classname="workflow-contract.run" time="0.000"><failure message="${says}"`,
  );
  expect(xml).toContain(`name="summary" value="Baseline out of date: ${says} `);
  expect(xml).toMatch(/<testsuites.* failures="1"/);
});
