import { describe, expect, test } from 'vitest';
import { retryAfter } from '../../client/retry.js';
import { operationIds, operations } from '../../generated/operations.js';
import { callOf, errorOf, execution, executionId, json, scripted, workflowId } from './support.js';

const fails =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    json({ code: status, message: 'Later.' }, status, headers);
const breaks = () => Promise.reject(new TypeError('fetch failed'));
/** Every pause is three quarters of its nominal length. */
const at = (...nominal: number[]) => nominal.map((ms) => ms * 0.75);

describe('a reading', () => {
  test.each([
    ['429', fails(429)],
    ['502', fails(502)],
    ['503', fails(503)],
    ['504', fails(504)],
    ['a broken connection', breaks],
  ])('is repeated after %s, with longer and longer pauses', async (_, failure) => {
    const { client, clock, times } = scripted([failure, failure, failure, () => execution('running')]);
    const read = client.getExecution(executionId);
    await clock.advance(10_000);
    expect((await read).status).toBe('running');
    expect(times()).toEqual(at(0, 500, 1500, 3500));
  });

  test('is repeated for files too', async () => {
    const { client, clock, sent } = scripted([breaks, () => json({ directories: {} })]);
    const read = client.listExecutionFiles(executionId);
    await clock.advance(10_000);
    await read;
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['400', fails(400)],
    ['401', fails(401)],
    ['404', fails(404)],
    ['500', fails(500)],
    ['an answer that is not JSON', () => json({})],
  ])('is not repeated after %s', async (_, failure) => {
    const { client, clock, sent } = scripted([failure]);
    const ended = errorOf(client.getExecution(executionId));
    await clock.advance(60_000);
    await ended;
    expect(sent).toHaveLength(1);
  });

  test.each([
    [0, 1],
    [1, 2],
    [4, 5],
    [7, 8],
  ])('is repeated at most %d times, as the client or the call sets it', async (maxRetries, requests) => {
    const calls = [
      { ofClient: { maxRetries }, ofCall: {} },
      { ofClient: {}, ofCall: { maxRetries } },
    ];
    for (const { ofClient, ofCall } of calls) {
      const { client, clock, sent } = scripted([fails(503)], { ...ofClient, timeoutMs: 600_000 });
      const ended = errorOf(client.getExecution(executionId, ofCall), 'server');
      await clock.advance(600_000);
      expect(await ended).toMatchObject({ status: 503, executionId });
      expect(sent).toHaveLength(requests);
    }
  });

  test('is repeated four times by default', async () => {
    const { client, clock, sent } = scripted([fails(429)]);
    const ended = errorOf(client.getExecution(executionId), 'rate-limited');
    await clock.advance(60_000);
    await ended;
    expect(sent).toHaveLength(5);
  });

  test('is repeated after ten seconds at most unless the service names a time', async () => {
    const { client, clock, times } = scripted([fails(503)], { maxRetries: 7, timeoutMs: 600_000 });
    const ended = errorOf(client.getExecution(executionId));
    await clock.advance(600_000);
    await ended;
    expect(times()).toEqual(at(0, 500, 1500, 3500, 7500, 15_500, 25_500, 35_500));
  });

  test('is repeated after the time that the service names, and a little more', async () => {
    const { client, clock, times } = scripted([fails(429, { 'Retry-After': '7' }), () => execution('running')]);
    const read = client.getExecution(executionId);
    await clock.advance(10_000);
    await read;
    expect(times()).toEqual([0, 7375]);
  });

  test('is repeated after the date that the service names', async () => {
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 9)).toUTCString();
    const { client, clock, times } = scripted([fails(503, { 'Retry-After': date }), () => execution('running')]);
    const read = client.getExecution(executionId);
    await clock.advance(10_000);
    await read;
    expect(times()).toEqual([0, 9375]);
  });

  test('fails at once when the deadline leaves no time for a repetition', async () => {
    const { client, sent } = scripted([fails(429, { 'Retry-After': '30' })]);
    expect(await errorOf(client.getExecution(executionId), 'rate-limited')).toMatchObject({ retryAfterMs: 30_000 });
    expect(await errorOf(client.waitFor(executionId, { timeoutMs: 20_000 }), 'rate-limited')).toMatchObject({
      executionId,
    });
    expect(sent).toHaveLength(2);
  });

  test('has one deadline for the whole call, with repetitions and pauses', async () => {
    let answers = 0;
    const { client, clock, sent } = scripted([
      () => (answers++ === 0 ? json({}, 503) : new Promise<Response>(() => {})),
    ]);
    const ended = errorOf(client.getExecution(executionId, { timeoutMs: 2000 }), 'timeout');
    await clock.advance(2000);
    await ended;
    expect(sent).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });
});

describe('only readings are repeated', () => {
  test.each([
    ['429', fails(429)],
    ['503 with Retry-After', fails(503, { 'Retry-After': '1' })],
    ['a broken connection', breaks],
  ])('after %s', async (_, failure) => {
    const { client, clock, sent } = scripted([failure]);
    const calls = [
      ...operationIds.filter((id) => operations[id].effect !== 'reads').map((id) => callOf(client, id)),
      client.run(workflowId),
      client.run(workflowId, {}, { onStatus: () => {} }),
    ];
    const ended = Promise.all(calls.map((call) => errorOf(call)));
    await clock.advance(60_000);
    await ended;
    expect(sent).toHaveLength(calls.length);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);
  test.each([
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['3.5', undefined],
    ['0', 0],
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ])('%j means %j ms', (header, ms) => {
    expect(retryAfter(new Headers(header === null ? {} : { 'Retry-After': header }), now)).toBe(ms);
  });

  test('is a date on the clock of the service, even if the clock of the client is wrong', () => {
    const headers = { Date: 'Thu, 01 Jan 2026 09:00:00 GMT', 'Retry-After': 'Thu, 01 Jan 2026 09:00:30 GMT' };
    expect(retryAfter(new Headers(headers), now)).toBe(30_000);
  });
});
