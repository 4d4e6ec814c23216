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
  expect(value.headline).toMatch(/^Nonconformant: .* Since 2026-11-03 09:12: \d+ rules newly violated \(/);
  expect(readReport(text, 'report.json')).toMatchObject({ causes, latencies });
});

test('a report has the fields of its schema, in its order', () => {
  const reversed = <T extends object>(value: T) => Object.fromEntries(Object.entries(value).reverse()) as T;
  const shuffled = { ...reversed({ ...full, other: 1 }), rules: full.rules.map(reversed) };
  const written = JSON.parse(writeReport('json', shuffled));
  const inOrder = (properties: object, of: object) => Object.keys(properties).filter((name) => name in of);
  expect(Object.keys(written)).toEqual(inOrder(schema.properties, written));
  const [rule] = written.rules;
  expect(Object.keys(rule)).toEqual(inOrder(schema.$defs.rule.properties, rule));
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
