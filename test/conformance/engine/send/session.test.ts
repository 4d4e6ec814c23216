import { describe, expect, test } from 'vitest';
import { isExcluded } from '../../../../conformance/engine/outcome/mark.js';
import { suite } from '../../../../conformance/engine/suite.js';
import type { Credential } from '../../../../conformance/engine/vocabulary.js';
import { operations } from '../../../../generated/operations.js';
import { key, talkingTo } from '../../../support/session.js';

const id = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';
const read = { step: 'read', operation: 'getExecution', id } as const;
const shown = operations.getExecution.keyHeader;
const other = ['X-Api-Key', 'X-Service-Agents-Api-Key'].find((header) => header !== shown) ?? '';
const start = { step: 'start', operation: 'execute', id, body: { head: true } } as const;

describe('a request', () => {
  test('is sent to the path of the operation, behind the path of the base URL', async () => {
    const { session, sent } = talkingTo(() => ({}));
    await session.send('test', start);
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: `http://target.test/gateway/agents/v2/workflows/${id}/execute`,
      body: '{"head":true}',
    });
  });

  test('escapes an id that would change the path', async () => {
    const { session, sent } = talkingTo(() => ({}));
    await session.send('test', { ...read, id: '../x' });
    expect(sent[0]?.url).toBe('http://target.test/gateway/agents/v2/executions/..%2Fx');
  });

  const headers: [Credential, Record<string, string>][] = [
    ['primary', { [shown]: key }],
    ['restricted', { [shown]: 'the-restricted-key' }],
    ['none', {}],
    [
      'elsewhere',
      {
        Authorization: expect.stringMatching(/^Bearer not-a-key-/) as unknown as string,
        Cookie: expect.stringMatching(/^session=not-a-key-/) as unknown as string,
      },
    ],
    ['swapped', { [other]: key }],
    ['invalid', { [shown]: expect.stringMatching(/^not-a-key-/) as unknown as string }],
    ['contradicting', { [shown]: key, [other]: expect.stringMatching(/^not-a-key-/) as unknown as string }],
  ];
  test.each(headers)('has the key that %s means, in the header of the operation', async (credential, want) => {
    const { session, sent } = talkingTo(() => ({}), {
      apiKeys: { primary: key, restricted: { key: 'the-restricted-key', denied: [] } },
    });
    await session.send('test', { ...read, credential });
    expect(sent[0]?.headers).toEqual({ accept: 'application/json', 'user-agent': expect.any(String), ...want });
  });

  test.each<[Record<string, string>, Record<string, string>]>([
    [{}, { 'user-agent': `workflow-contract/${suite().version} (conformance suite)` }],
    [{ 'User-Agent': 'mine/1' }, { 'User-Agent': 'mine/1' }],
  ])('has the user agent of the suite, unless the target file has one: %j', async (headers, want) => {
    const { session, sent } = talkingTo(() => ({}), { headers });
    await session.send('test', read);
    const named = Object.entries(sent[0]?.headers ?? {}).filter(([name]) => name.toLowerCase() === 'user-agent');
    expect(Object.fromEntries(named)).toEqual(want);
  });

  test('has the headers of the target file', async () => {
    const { session, sent } = talkingTo(() => ({}), { headers: { 'X-Gateway': 'token-of-the-gateway' } });
    await session.send('test', read);
    expect(sent[0]?.headers).toMatchObject({ 'X-Gateway': 'token-of-the-gateway' });
  });
});

describe('a recorded exchange', () => {
  const hiding: [string, string][] = [
    ['as it is', key],
    ['in base64', Buffer.from(key).toString('base64')],
    ['within a text', `the key ${key} is wrong`],
  ];
  test.each(hiding)('has no key, also if the target repeats it %s', async (_, repeated) => {
    const { session } = talkingTo(() => ({
      json: { executionId: id, message: repeated },
      headers: { 'x-echo': repeated },
    }));
    const exchange = await session.send('test', { ...start, body: { inputs: { key } } });
    expect(JSON.stringify(session.recorder.redactor.value(session.exchanges))).not.toContain(repeated);
    expect(JSON.stringify(session.recorder.redactor.value(session.exchanges))).not.toContain(key);
    expect(exchange.response?.repeatsKey).toBe(true);
  });

  test('has no value of an authorization header either', async () => {
    const { session } = talkingTo(() => ({}), { headers: { Authorization: 'Bearer token-of-the-gateway' } });
    const exchange = await session.send('test', read);
    expect(exchange.request.headers.Authorization).toBe('[redacted]');
    expect(exchange.response?.repeatsKey).toBe(false);
  });

  test('has no key in a request header, however short it is', async () => {
    const { session } = talkingTo(() => ({}), { apiKeys: { primary: 'any' }, headers: { 'X-Gateway': 'me' } });
    const { request } = await session.send('test', read);
    expect(request.headers).toEqual({
      accept: 'application/json',
      'user-agent': expect.any(String),
      'X-Gateway': 'me',
      [shown]: '[redacted]',
    });
  });

  const bodies: [string, Uint8Array, object][] = [
    ['no bytes', new Uint8Array(), { kind: 'none' }],
    ['JSON', Buffer.from('{"a":[1]}'), { kind: 'json', value: { a: [1] } }],
    ['broken JSON', Buffer.from('{"a":]}'), { kind: 'not-json' }],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), { kind: 'not-json', error: 'The body is not UTF-8.' }],
    // So that it is known to be cut.
    [
      'JSON cut in a character',
      Buffer.from('{"a":"é').subarray(0, -1),
      { kind: 'not-json', error: expect.stringMatching('Unterminated') as unknown },
    ],
  ];
  test.each(bodies)('has %s as that', async (_, bytes, want) => {
    const { session, clock } = talkingTo(() => ({ bytes }));
    expect((await clock.run(session.send('test', read))).response?.body).toEqual(expect.objectContaining(want));
  });

  test('has a cut value if the value is nested without end', async () => {
    const { session, clock } = talkingTo(() => ({ bytes: Buffer.from('['.repeat(10_000) + ']'.repeat(10_000)) }));
    const { response } = await clock.run(session.send('test', read));
    expect(response?.body.kind).toBe('json');
    expect(JSON.stringify(response).length).toBeLessThan(1000);
  });

  test('is in the order of requests, whichever answer arrives first', async () => {
    const { session, clock } = talkingTo(() => ({}));
    await clock.run(Promise.all([session.send('a', read), session.send('b', read), session.send('c', read)]));
    expect(session.exchanges.map(({ id: number, mark }) => [number, mark?.scenario])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });
});

describe('a refusal without a message', () => {
  const refusal = (first: object) => (_: unknown, nth: number) => ({
    status: 404,
    json: nth === 1 ? first : { code: 404, message: 'Not found.' },
  });
  const counts = async (first: object) => {
    const { session, clock } = talkingTo(refusal(first));
    await clock.run(session.send('test', read));
    return session.sent.map((one) => !isExcluded(one));
  };

  test('comes from an intermediary if it has other fields', async () => {
    expect(await counts({ error: 'no route' })).toEqual([false, true]);
    expect(await counts({ code: 404, error: 'no route' })).toEqual([false, true]);
  });
});

describe('429', () => {
  const limited = (headers: Record<string, string>) => (_: unknown, nth: number) =>
    nth === 1 ? { status: 429, headers } : {};

  test('is obeyed: the request is repeated after Retry-After, and the first answer superseded', async () => {
    const { session, clock } = talkingTo(limited({ 'retry-after': '3' }));
    const from = clock.now();
    const exchange = await clock.run(session.send('test', read));
    expect(exchange.response?.status).toBe(200);
    expect(clock.now() - from).toBeGreaterThanOrEqual(3000);
    expect(session.sent.map(isExcluded)).toEqual([true, false]);
  });

  test('is the answer beyond the patience of the target file', async () => {
    const { session, clock } = talkingTo(limited({ 'retry-after': '3600' }));
    expect((await clock.run(session.send('test', read))).response?.status).toBe(429);
  });
});

test('a stop does not wait for a pause of the target, except for requests that restore settings', async () => {
  const stop = new AbortController();
  const { session, clock } = talkingTo(
    (_, nth) => (nth === 1 ? { status: 429, headers: { 'retry-after': '30' } } : { json: {} }),
    {},
    stop.signal,
  );
  const from = clock.now();
  const halted = Promise.allSettled([session.send('a', read), session.send('b', read)]);
  clock.setTimeout(() => stop.abort(), 1000);
  const outcomes = await clock.run(halted);
  expect(outcomes.map(({ status }) => status)).toContain('rejected');
  expect(clock.now() - from).toBe(1000);
  await clock.run(session.send('a', { ...read, evenIfStopping: true }));
  expect(clock.now() - from).toBeGreaterThanOrEqual(30_000);
});

test('no request is sent after a stop, except those that restore settings', async () => {
  const { session, clock, sent } = talkingTo(() => ({}), {}, AbortSignal.abort());
  await expect(session.send('test', read)).rejects.toThrow('The run was stopped.');
  await clock.run(session.send('test', { ...read, evenIfStopping: true }));
  expect(sent).toHaveLength(1);
});

test('something that is there is asked for again where it is not found, and not after three times in vain', async () => {
  const missing = { status: 404, json: { code: 404, message: 'Not found.' } };
  const { session, clock, sent } = talkingTo((_, nth) => (nth === 1 || nth === 4 ? {} : missing));
  const codes: unknown[] = [];
  const counts: number[] = [];
  for (let time = 0; time < 6; time += 1) {
    codes.push((await clock.run(session.send('test', read))).response?.status);
    counts.push(sent.length);
  }
  expect(codes).toEqual([200, 200, 404, 404, 404, 404]);
  expect(counts).toEqual([1, 4, 9, 14, 19, 20]);
});

test('a start that is refused at a limit obeys a pause that is asked for at last', async () => {
  const limit = { status: 429, json: { message: 'Slow down.' } };
  const { session, clock } = talkingTo(({ method }, nth) =>
    method === 'GET' ? {} : nth > 8 ? {} : nth === 8 ? { ...limit, headers: { 'retry-after': '7' } } : limit,
  );
  await clock.run(session.send('test', read));
  for (let count = 0; count < 6; count += 1) await clock.run(session.send('test', { ...start, mayBeAtCapacity: true }));
  const from = clock.now();
  expect((await clock.run(session.send('test', start))).response?.status).toBe(200);
  expect(clock.now() - from).toBeGreaterThanOrEqual(7000);
});

test('a start that may be over a limit is repeated if an existing resource is not found', async () => {
  let starts = 0;
  const { session, clock } = talkingTo(({ method }) => {
    if (method === 'GET') return { json: { id, status: 'running' } };
    starts += 1;
    return starts === 2
      ? { status: 404, json: { code: 404, message: 'Not found.' } }
      : { status: 202, json: { executionId: `00000000-0000-4000-8000-00000000000${starts}`, status: 'queued' } };
  });
  const start = { step: 'start', operation: 'execute', id: '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813', body: {} } as const;
  for (const ask of [read, start]) await clock.run(session.send('test', ask));
  const queued = await clock.run(session.send('test', { ...start, step: 'queued', mayBeOverLimit: true }));
  expect([queued.response?.status, starts]).toEqual([202, 3]);
});
