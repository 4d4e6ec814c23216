import { expect, test } from 'vitest';
import { json } from '../../../conformance/report/json.js';
import { readReport } from '../../../conformance/report/read.js';
import type { Report } from '../../../conformance/vocabulary.js';
import { callerVerdicts, sampleReport } from '../../support/report.js';

const sample = sampleReport({ hostile: true });
const full: Report = {
  ...sample,
  rules: sample.rules.map((rule) => (rule.verdict === 'inconclusive' ? { ...rule, unclear: 2 } : rule)),
  callers: callerVerdicts,
  recording: { baseUrls: ['https://staging.example.com'], unrecorded: 3 },
};

test('loses nothing on the way to a file and back', () => {
  expect(readReport(json(full), 'report.json')).toEqual(full);
});

test('has its keys in an order that does not depend on the run', () => {
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
  const { rules, gaps, transitions, leftBehind, summary, target } = full;
  const parts = { rules, gaps, transitions, leftBehind, summary, target } as const;
  const shuffled = { ...full, ...(reversed(parts) as typeof parts), exchanges: [] };
  const text = json({ ...shuffled, rules: shuffled.rules.map((rule) => ({ ...rule, operations: {} })) });
  expect(text).toBe(json({ ...full, exchanges: [], rules: rules.map((rule) => ({ ...rule, operations: {} })) }));
  expect(Object.keys(JSON.parse(text))).toEqual([
    'version',
    'verdict',
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
    'journeys',
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
  ['{"version": 1, "verdict": "conformant", "rules": [null], "exchanges": [], "gaps": []}', 'old.json: not a report'],
  [
    '{"version": 2, "verdict": "conformant", "rules": [], "exchanges": [], "gaps": []}',
    'old.json: a report of version 2',
  ],
])('a file that holds %s is no report, and the error says so', (text, want) => {
  expect(() => readReport(text, 'old.json')).toThrow(want);
});
