import { expect, test } from 'vitest';
import { reportPieces } from '../../../../conformance/engine/report/index.js';
import { jsonPieces } from '../../../../conformance/engine/report/json.js';
import {
  type ReportedExchange,
  type ReportFormat,
  reportFormats,
} from '../../../../conformance/engine/vocabulary/report.js';
import { sampleReport } from '../../../support/report.js';

test.each([
  {},
  [],
  { a: [], b: {}, c: undefined, d: null, 'e "f"': [[1, { g: 'line\nbreak' }], {}] },
  [[[[[{}]]]], 'text'],
  { log: { entries: [{ a: { b: [1, 2] } }, { c: 'd' }] } },
  7,
])('%j is written like JSON.stringify does', (value) => {
  for (const deepest of [0, 1, 2, 3, 9])
    expect([...jsonPieces(value, deepest)].join('')).toBe(JSON.stringify(value, null, 2));
});

const bodyLength = 100_000;
const [one] = sampleReport().exchanges as [ReportedExchange];
const longest = (format: ReportFormat, count: number): number => {
  const body = { kind: 'json', value: 'x'.repeat(bodyLength), bytes: bodyLength } as const;
  const response = { status: 200, headers: {}, repeatsKey: false, body };
  const exchanges = Array.from({ length: count }, (_, index) => ({ ...one, id: index + 1, response }));
  const pieces = reportPieces(format, { ...sampleReport(), exchanges });
  return Math.max(...[...pieces].map(({ length }) => length));
};

test.each(reportFormats)('no piece of a %s report grows with the answers of a run', (format) => {
  expect(longest(format, 60) - longest(format, 20)).toBeLessThan(bodyLength / 10);
});
