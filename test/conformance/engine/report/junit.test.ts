import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { junit } from '../../../../conformance/engine/report/junit.js';
import type { RuleVerdict } from '../../../../conformance/engine/vocabulary/report.js';
import { callerVerdicts, sampleReport } from '../../../support/report.js';
import { verdict } from '../../../support/verdicts.js';
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
    expect((await validate(xml.replace('name="rules"', 'name="a\u0001b"'))).valid).toBe(false);
  });
});

/** The case of one rule: its result and message. */
function caseOf(more: Partial<RuleVerdict>, options?: { strict?: boolean }): string {
  const rule: RuleVerdict = { ...verdict({ id: 'head-excludes-version', verdict: 'passed' }), ...more };
  const xml = junit({ ...report, rules: [rule] }, options);
  const [, inner, message = ''] = /<testcase [^>]*><([\w-]+)(?: message="([^"]*)")?/.exec(xml) ?? [];
  return `${inner ?? 'passed'} ${message}`.trim();
}

const operations = { execute: { observations: 5, violations: 4 } };
const one = violation({ operation: 'execute', exchanges: [8] });
const another = violation({ operation: 'execute', expected: 'a 4xx', actual: '500', count: 3 });
const broken = { verdict: 'violated', operations, violations: [one, another] } as const;

test.each<[string, Partial<RuleVerdict>, string]>([
  ['passed', { verdict: 'passed' }, 'passed'],
  ['broken', { ...broken, violations: [one] }, 'failure expected: a refusal; actual: 202 (on execute, 1 of 5 times)'],
  [
    'broken in two ways',
    broken,
    'failure expected: a refusal; actual: 202 (on execute, 1 of 5 times) (and 1 more: a 4xx)',
  ],
  [
    'broken in two ways, one of them known',
    { ...broken, violations: [{ ...one, known: true }, another] },
    'failure expected: a 4xx; actual: 500 (on execute, 3 of 5 times)',
  ],
  ['broken, and known', { ...broken, why: 'expected: x', known: true }, 'skipped known failure: expected: x'],
  ['inconclusive', { verdict: 'inconclusive', why: 'No answer.' }, 'error No answer.'],
  [
    'inconclusive, and known',
    { verdict: 'inconclusive', why: 'No answer.', known: true },
    'skipped known to be inconclusive: No answer.',
  ],
  ['untested', { verdict: 'untested', why: 'To judge it, declare profile.' }, 'skipped To judge it, declare profile.'],
])('a rule that is %s is a case', (_, more, want) => {
  expect(caseOf(more)).toBe(want);
});

test('a violated SHOULD passes with a warning, and fails under strict', () => {
  expect(caseOf({ ...broken, level: 'SHOULD' })).toBe('system-out');
  expect(caseOf({ ...broken, level: 'SHOULD' }, { strict: true })).toMatch(/^failure expected/);
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
