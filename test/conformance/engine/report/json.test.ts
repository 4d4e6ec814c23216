import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { compare } from '../../../../conformance/engine/report/compare.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { readReport } from '../../../../conformance/engine/report/json.js';
import schema from '../../../../conformance/engine/report/report.schema.json' with { type: 'json' };
import { wholeCharacters } from '../../../../conformance/engine/report/text.js';
import type { Report } from '../../../../conformance/engine/vocabulary/report.js';
import { rules } from '../../../../generated/rules.js';
import { callerVerdicts, sampleReport } from '../../../support/report.js';

const sample = sampleReport({ hostile: true });
const full: Report = {
  ...sample,
  rules: sample.rules.map((rule) => (rule.verdict === 'inconclusive' ? { ...rule, unclear: 2 } : rule)),
  callers: callerVerdicts,
  recording: { baseUrls: ['https://staging.example.com'], unrecorded: 3 },
};

test('a report stays the same when it is written and read', () => {
  const read = readReport(writeReport('json', full), 'report.json');
  // Half of a surrogate pair stands for no character; it is written as its code.
  expect(read).toMatchObject(JSON.parse(wholeCharacters(JSON.stringify(full))));
  // What a rule says stands beside its verdict.
  expect(read.rules[0]).toMatchObject({
    id: rules[0].id,
    says: rules[0].says,
    statements: [{ id: rules[0].statements[0], standing: 'stated', says: expect.stringMatching(/\.$/) }],
  });
  expect(Object.keys(read.rules[0] ?? {})).toEqual(expect.arrayContaining(['says', 'source', 'statements']));
});

test('a report is valid by its schema', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  const validate = ajv.compile(schema);
  validate(
    JSON.parse(
      writeReport('json', { ...full, seed: 7, options: { strict: true, minJudged: '50%', only: ['sync-*'] } }),
    ),
  );
  expect(validate.errors).toBeNull();
});

test('a report has its headline, causes, latencies and changes, as the schema requires', () => {
  const causes = [{ what: 'answers 500 of execute', rules: ['head-excludes-version'], exchanges: [8] }];
  const latencies = { execute: { count: 30, medianMs: 4, p95Ms: 12, maxMs: 61 } };
  const report = { ...sample, causes, latencies, changes: compare({ ...sample, rules: [] }, sample) };
  const text = writeReport('json', report);
  const value = JSON.parse(text);
  expect(value).toMatchObject({ causes, latencies, changes: { changed: true, still: [] } });
  expect(value.headline).toMatch(/^Nonconformant: .* Since 2026-11-03 09:12: \d+ rules newly broken \(/);
  expect(readReport(text, 'report.json')).toMatchObject({ causes, latencies });
});

test('a report has its keys in an order that does not depend on the run', () => {
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, child]) => [key, reversed(child)]),
          )
        : value;
  const { rules: all, gaps, transitions, leftBehind, summary, target } = full;
  const parts = { rules: all, gaps, transitions, leftBehind, summary, target } as const;
  const shuffled = { ...full, ...(reversed(parts) as typeof parts), exchanges: [] };
  const text = writeReport('json', { ...shuffled, rules: shuffled.rules.map((rule) => ({ ...rule, operations: {} })) });
  expect(text).toBe(
    writeReport('json', { ...full, exchanges: [], rules: all.map((rule) => ({ ...rule, operations: {} })) }),
  );
  expect(Object.keys(JSON.parse(text))).toEqual([
    'version',
    'suite',
    'options',
    'verdict',
    'headline',
    'reason',
    'target',
    'startedAt',
    'durationMs',
    'longestWaitMs',
    'summary',
    'rules',
    'callers',
    'gaps',
    'transitions',
    'scenarios',
    'leftBehind',
    'requests',
    'executionsStarted',
    'foreign',
    'recording',
    'remarks',
    'exchanges',
  ]);
});

test.each([
  ['', 'old.json: not JSON'],
  ['[]', 'old.json: not a report'],
  ['{"log": {}}', 'old.json: not a report'],
  ['{"version": 3, "verdict": "conformant", "rules": [null], "exchanges": [], "gaps": []}', 'old.json: not a report'],
  [
    '{"version": 1, "verdict": "conformant", "rules": [], "exchanges": [], "gaps": []}',
    'old.json is a report of version 1, and this command reads version 3; one is written by npx workflow-execution-contract check --report json=FILE.',
  ],
  ['{"version": 3, "verdict": "conformant", "rules": {}}', 'old.json: not a report: it must have required property'],
])('a file with %s is not a report, and the error names the reason', (text, want) => {
  expect(() => readReport(text, 'old.json')).toThrow(want);
});
