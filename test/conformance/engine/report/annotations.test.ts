import { expect, test } from 'vitest';
import { annotations } from '../../../../conformance/engine/report/markdown.js';
import { sampleReport } from '../../../support/report.js';

const report = sampleReport();

/** The run in a line, before the rules. */
const notice = /^::notice title=Conformance::[^\n]*\n/;

test('annotations have one line for each violated or inconclusive rule, after one of the run', () => {
  expect(annotations(report)).toMatch(/^::notice title=Conformance::Nonconformant: 3 rules violated, 1 inconclusive, /);
  expect(annotations(report).replace(notice, '')).toBe(
    [
      '::error title=MUST simple-error-code::expected: code 404; actual: code 4040 (11 times)',
      '::error title=MUST head-excludes-version::expected: a refusal; actual: 202 with executionId',
      '::error title=MUST execution-progresses::expected: no duration while running; actual: duration 3',
      '::warning title=queued-starts-by-itself is inconclusive::Waiting for a start ended after 60 s.',
      '::warning title=SHOULD no-server-errors::expected: no 5xx; actual: 500 on a version of 99 digits',
      '',
    ].join('\n'),
  );
});

test('under strict, a SHOULD is an error', () => {
  expect(annotations(report, { strict: true })).toContain('::error title=SHOULD no-server-errors');
});

test('annotations contain no further commands, whatever the target answers', () => {
  const lines = annotations(sampleReport({ hostile: true }))
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(6);
  for (const line of lines) {
    expect(line).toMatch(/^::(error|warning|notice) title=[^:,]+::[^\p{Cc}]*$/u);
    expect(line.replaceAll('%25', '').replaceAll('%3A', '').replaceAll('%2C', '')).not.toContain('%');
  }
});

test('annotations stay within the ten that GitHub displays, and count the rest', () => {
  const violated = report.rules.find(({ id }) => id === 'execution-progresses');
  if (!violated) throw new Error('the sample has no violation');
  const rules = Array.from({ length: 14 }, () => violated);
  const lines = annotations({ ...report, rules })
    .replace(notice, '')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines[9]).toBe('::error title=And 5 more rules::The report has them all.');
});

test('an unusable target is an error', () => {
  expect(annotations({ ...report, verdict: 'unusable', reason: 'Nothing listens there.', rules: [] })).toBe(
    '::notice title=Conformance::Unusable: Nothing was judged. Nothing listens there.\n::error title=The target is unusable::Nothing listens there.\n',
  );
});

test('an entry of the baseline that is out of date is an error', () => {
  expect(annotations({ ...report, stale: ['queue-is-oldest-first passes now'] })).toContain(
    '::error title=The baseline is out of date::queue-is-oldest-first passes now. Remove its entry.\n',
  );
});
