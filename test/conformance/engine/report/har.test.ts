import { describe, expect, test } from 'vitest';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { sampleReport } from '../../../support/report.js';

const parsed = (options: Parameters<typeof sampleReport>[0]) => JSON.parse(writeReport('har', sampleReport(options)));

const [text, number, list] = [expect.any(String), expect.any(Number), expect.any(Array)];
const message = { httpVersion: text, cookies: list, headers: list, headersSize: number, bodySize: number };
/** What HAR 1.2 requires of an entry. */
const entry = {
  startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  time: number,
  request: { ...message, method: text, url: text, queryString: list },
  response: {
    ...message,
    status: number,
    statusText: text,
    redirectURL: text,
    content: { size: number, mimeType: text },
  },
  cache: {},
  timings: { send: number, wait: number, receive: number },
};

describe('the report is HAR 1.2:', () => {
  test.each([
    ['tame', {}, 96],
    ['with hostile text everywhere', { hostile: true }, 96],
    ['empty', { exchanges: 0 }, 0],
  ])('%s', (_, options, count) => {
    const { log } = parsed(options);
    expect(log).toMatchObject({ version: '1.2', creator: { name: text, version: text } });
    expect(log.entries).toHaveLength(count);
    for (const one of log.entries) expect(one).toMatchObject(entry);
  });
});

test('has every exchange in order, with its purpose', () => {
  const { log } = parsed({});
  expect(log.entries).toHaveLength(96);
  expect(log.entries[7]).toMatchObject({
    startedDateTime: '2026-11-03T09:12:45.750Z',
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
    _scenario: 'run-pauses',
    _step: 'step-0',
  });
});

test('an exchange without an answer has status 0 and the reason', () => {
  const entry = parsed({ hostile: true }).log.entries.find(({ _error }: { _error?: string }) => _error);
  expect(entry._error).toMatch(/^broken: /);
  expect(entry.response.status).toBe(0);
});

test('a URL keeps its dots, and invalid characters are escaped', () => {
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
