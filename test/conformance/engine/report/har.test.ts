import { createRequire } from 'node:module';
import { Ajv, type AnySchema } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { sampleReport } from '../../../support/report.js';

const schemas = createRequire(import.meta.url)('har-schema') as Record<string, AnySchema>;
const ajv = new Ajv({ strict: false });
ajv.addMetaSchema(draft06);
addFormats.default(ajv);
for (const schema of Object.values(schemas)) ajv.addSchema(schema);
const valid = ajv.getSchema('har.json#');

const parsed = (options: Parameters<typeof sampleReport>[0]) => JSON.parse(writeReport('har', sampleReport(options)));

describe('is HAR 1.2 by its schema', () => {
  test.each([
    ['tame', {}],
    ['with hostile text everywhere', { hostile: true }],
    ['empty', { exchanges: 0 }],
  ])('%s', (_, options) => {
    const archive = parsed(options);
    expect(valid?.(archive), JSON.stringify(valid?.errors?.slice(0, 3))).toBe(true);
  });

  test('which would notice', () => {
    const archive = parsed({});
    archive.log.entries[0].response.status = '200';
    expect(valid?.(archive)).toBe(false);
  });
});

test('holds every exchange in order, with what it was sent for', () => {
  const { log } = parsed({});
  expect(log.entries).toHaveLength(96);
  expect(log.entries[7]).toMatchObject({
    startedDateTime: '2026-11-03T09:12:46.470Z',
    time: 83,
    request: {
      method: 'POST',
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'X-Api-Key', value: '[redacted]' },
      ],
      postData: {
        mimeType: 'application/json',
        text: '{"inputs":{"marker":"m-7"},"metadata":{"run":"nightly","note":"größer"}}',
      },
    },
    response: { status: 202, content: { mimeType: 'application/json' } },
    _operation: 'execute',
    _journey: 'run-pauses',
    _step: 'step-0',
  });
});

test('an exchange without an answer has status 0 and says why', () => {
  const entry = parsed({ hostile: true }).log.entries.find(({ _error }: { _error?: string }) => _error);
  expect(entry._error).toMatch(/^broken: /);
  expect(entry.response.status).toBe(0);
});

test('a URL keeps its dots, and what it may not hold is escaped', () => {
  const report = sampleReport({ exchanges: 1 });
  const exchanges = report.exchanges.map((one) => ({
    ...one,
    request: { ...one.request, url: 'http://[::1]:1/a/../%2e/ä b?x=[1]%&y="' },
  }));
  const { request } = JSON.parse(writeReport('har', { ...report, exchanges })).log.entries[0];
  expect(request.url).toBe('http://[::1]:1/a/../%2e/%C3%A4%20b?x=%5B1%5D%25&y=%22');
  expect(request.queryString).toEqual([
    { name: 'x', value: '[1]%' },
    { name: 'y', value: '"' },
  ]);
});
