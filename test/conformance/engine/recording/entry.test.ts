import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { EntryReader } from '../../../../conformance/engine/recording/entry.js';
import { ids } from '../../../support/evidence.js';
import { type EntrySketch, entry, harOf, judged, running, start } from '../../../support/recordings.js';

const read = (value: unknown) => new EntryReader().read(value, 1);
const exchangeOf = (value: unknown) => {
  const found = read(value);
  if (found.kind !== 'exchange') throw new Error(`it is ${found.kind}`);
  return found;
};
const [at, time] = [Date.parse('2026-03-02T12:00:00.500Z'), 20];

test('an entry of a HAR becomes an exchange', () => {
  const found = exchangeOf(entry({ ...start, at: '2026-03-02T12:00:00.500Z' }));
  expect(found).toEqual({
    kind: 'exchange',
    isFull: { request: true, response: true },
    baseUrl: 'https://api.example.com',
    answer: JSON.stringify(start.body),
    question: JSON.stringify(start.sent),
    showsKey: true,
    key: 1,
    exchange: {
      id: 1,
      operation: 'execute',
      resource: ids.workflow,
      at,
      durationMs: time,
      request: {
        method: 'POST',
        url: start.url,
        headers: { 'x-service-agents-api-key': '[redacted]' },
        body: { kind: 'json', value: { inputs: { a: 1 } }, bytes: 18 },
      },
      response: {
        status: 202,
        headers: { 'content-type': 'application/json' },
        body: { kind: 'json', value: start.body, bytes: JSON.stringify(start.body).length },
        repeatsKey: false,
      },
    },
  });
});

test('the answer to a body that is not labelled as JSON does not count', () => {
  const { request, ...rest } = entry(start) as Record<'request', { headers: object[] }>;
  const headers = [...request.headers, { name: 'Content-Type', value: 'text/plain;charset=UTF-8' }];
  const { exchange } = exchangeOf({ ...rest, request: { ...request, headers } });
  expect([exchange.response, exchange.failure?.kind]).toEqual([undefined, 'unknown']);
});

test('a method in lower case and a status as text are read', () => {
  const { request, response, ...rest } = entry(start) as Record<'request' | 'response', object>;
  const { exchange } = exchangeOf({
    ...rest,
    request: { ...request, method: 'post' },
    response: { ...response, status: '202' },
  });
  expect([exchange.operation, exchange.request.method, exchange.response?.status]).toEqual(['execute', 'POST', 202]);
});

test('an exchange of this suite stays the same', () => {
  const { exchange } = exchangeOf(entry(start));
  const again = exchangeOf({ ...exchange, id: 77, scenario: '', step: '', curl: 'curl …' });
  expect(again).toMatchObject({ exchange, answer: JSON.stringify(start.body), showsKey: true });
});

describe('the time of the server begins when the request is sent:', () => {
  test.each([
    [{}, 0, 20],
    [{ timings: { blocked: 5, dns: 2, connect: 3, ssl: 3, send: 1, wait: 9, receive: 0 } }, 10, 10],
    [{ timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: 20, receive: 0 } }, 0, 20],
    [{ timings: { blocked: 50 } }, 20, 0],
    [{ time: -1 }, 0, 0],
  ])('%j', (more, later, durationMs) => {
    expect(exchangeOf(entry({ more })).exchange).toMatchObject({ at: at + later, durationMs });
  });
});

/** With these headers. */
const said = (headers: Readonly<Record<string, string>>) => ({
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
});
const inBase64 = (bytes: Buffer) => ({ size: bytes.length, encoding: 'base64', text: bytes.toString('base64') });

describe('a body', () => {
  const text = JSON.stringify(running);
  const json = { kind: 'json', value: running, bytes: Buffer.byteLength(text) };
  test.each<[string, EntrySketch, object]>([
    ['as written', {}, json],
    ['as its base64 decodes', { content: { encoding: 'base64', text: Buffer.from(text).toString('base64') } }, json],
    ['whole if its size is missing', { content: { size: -1 } }, json],
    ['whole if it is readable, whatever its size', { content: { size: 10_000 } }, json],
    ['none if it has no size', { content: { size: 0, text: '' } }, { kind: 'none' }],
    [
      'none if it is missing and has no size, neither on its way',
      { content: { size: 0, text: undefined }, response: { bodySize: 0 } },
      { kind: 'none' },
    ],
    [
      'none if its length is 0',
      { content: { text: undefined }, response: said({ 'Content-Length': '0' }) },
      { kind: 'none' },
    ],
    ['whole if it is readable, whatever its length', { response: said({ 'Content-Length': '10000' }) }, json],
    [
      'not JSON if it was encoded, whatever its length on its way',
      { content: { size: 5, text: '<a>!!' }, response: said({ 'Content-Encoding': 'br', 'Content-Length': '900' }) },
      { kind: 'not-json', text: '<a>!!' },
    ],
    ['none with a 204', { status: 204, content: { size: -1, text: undefined } }, { kind: 'none' }],
    ['not JSON if it is none', { content: { size: 5, text: '<a>!!' } }, { kind: 'not-json', text: '<a>!!', bytes: 5 }],
  ])('is read: %s', (_, sketch, body) => {
    expect(exchangeOf(entry(sketch)).exchange.response?.body).toMatchObject(body);
  });
});

const executions = 'https://api.example.com/agents/v2/executions';

describe('an incomplete entry is left out:', () => {
  const posted = { ...start, request: { postData: undefined } };
  test.each<[string, EntrySketch]>([
    ['an answer without the body that it had', { content: { text: undefined } }],
    ['an answer with an empty text and a size', { content: { text: '' } }],
    ['an answer without a content', { response: { content: undefined } }],
    ['an answer that ends in the middle of its JSON', { content: { size: -1, text: '{"id":"9b2f","agentId":' } }],
    ['an answer that is cut off', { content: { text: '{"id":"9b2f8a54' } }],
    [
      'an answer that is shorter than its length',
      { content: { size: 9, text: '{"id":"9b' }, response: said({ 'Content-Length': '332' }) },
    ],
    [
      'an answer that is shorter than its length, and masked in part',
      { content: { size: 42, text: '{"name":"[masked 1]","id":"9b' }, response: said({ 'Content-Length': '332' }) },
    ],
    [
      'an answer without a body and with a length',
      { content: { size: 0, text: undefined }, response: said({ 'Content-Length': '332' }) },
    ],
    ['an answer with a type and no text, of no size', { content: { size: 0, text: undefined } }],
    ['an answer with a mark of a cut', { content: { size: -1, text: '{"id":"9b2f... [truncated]' } }],
    ['an answer with a mark of the cut length', { content: { size: -1, text: '{"id":1[TRUNCATED 812 bytes]' } }],
    ['an answer in which an id was masked', { body: { ...running, organizationId: '***' } }],
    ['an answer in which a time was masked', { body: { ...running, createdAt: '[createdAt redacted]' } }],
    ['a request in which an id was masked', { ...start, sent: { profileId: '<hidden>' } }],
    ['an answer to a request whose id was masked', { url: `${executions}/***` }],
    ['a refusal of a request whose id was masked', { url: `${executions}/[REDACTED]`, status: 404 }],
    ['an answer to a request with a template in place of its id', { url: `${executions}/{executionId}` }],
    [
      'an answer with an unknown coding',
      { content: inBase64(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])), response: said({ 'Content-Encoding': 'zstd' }) },
    ],
    [
      'an answer with an encoded body in base64',
      { content: inBase64(gzipSync('{}')), response: said({ 'Content-Encoding': 'gzip' }) },
    ],
    [
      'an answer with an encoded body stored as text',
      { content: { text: gzipSync('{}').toString() }, response: said({ 'Content-Encoding': 'gzip' }) },
    ],
    ['an answer that the cache still holds', { status: 304 }],
    [
      'a redirect that the browser made up',
      { status: 307, response: said({ 'Non-Authoritative-Reason': 'HSTS', Location: executions }) },
    ],
    ['a request without the body that it had', posted],
    [
      'a request of no size that has a type',
      { ...posted, headers: { 'Content-Type': 'application/json' }, request: { postData: undefined, bodySize: 0 } },
    ],
    [
      'a request that is shorter than its length',
      { ...start, headers: { 'Content-Length': '900' }, request: { postData: { text: '{"inputs":{"a"' } } },
    ],
    [
      'a request of unknown size that has a type',
      { ...posted, headers: { 'Content-Type': 'application/json' }, request: { postData: undefined, bodySize: -1 } },
    ],
    [
      'a request of unknown size that has a length',
      { ...posted, headers: { 'Content-Length': '7' }, request: { postData: undefined, bodySize: -1 } },
    ],
  ])('%s', (_, sketch) => {
    expect(read(entry(sketch))).toMatchObject({ kind: 'unrecorded', address: { baseUrl: 'https://api.example.com' } });
  });

  const overNetwork: readonly [string, EntrySketch][] = [
    ['HAR 1.2', { response: { bodySize: 332 }, more: { cache: {} } }],
    ['HAR 1.2, with unknown sizes', { response: { bodySize: -1, _transferSize: -1 } }],
    ['HAR 1.2, with an unknown cache', { more: { cache: { beforeRequest: null, afterRequest: null } } }],
    ['HAR 1.2, with an answer without a body', { status: 204, response: { bodySize: 0 }, content: { text: '' } }],
    ['Chrome', { response: { _transferSize: 610, _fetchedViaServiceWorker: false } }],
    ['Chrome, without an answer', { status: 0, response: { _transferSize: 0, _error: 'net::ERR_FAILED' } }],
    ['Safari', { more: { _fetchType: 'Network Load' } }],
    ['Playwright', { more: { _wasContinued: true } }],
  ];
  test.each(overNetwork)('but not an answer over the network: %s', (_, sketch) => {
    expect(read(entry(sketch)).kind).toBe('exchange');
  });

  const ofBrowser: readonly [string, EntrySketch][] = [
    ['HAR 1.2', { response: { bodySize: 0 } }],
    ['Chrome, from its memory', { more: { _fromCache: 'memory' } }],
    ['Chrome, from an unnamed cache', { response: { bodySize: -1, _transferSize: 0 } }],
    ['Chrome, from a service worker', { response: { _fetchedViaServiceWorker: true } }],
    ['Firefox', { more: { cache: { afterRequest: { expires: '', lastAccess: '', eTag: '', hitCount: '3' } } } }],
    ['Firefox, without the entry of its cache', { more: { cache: { afterRequest: null } } }],
    ['Safari, from its memory', { more: { _fetchType: 'Memory Cache' } }],
    ['Safari, from its disk', { more: { _fetchType: 'Disk Cache' } }],
    ['Safari, from a service worker', { more: { _fetchType: 'Service Worker' } }],
    ['Playwright, from a route of the test', { more: { _wasFulfilled: true } }],
    ['a recorder of the future, from a mock', { more: { _servedByMock: true } }],
  ];
  test.each(ofBrowser)('an answer that did not come over the network: %s', async (_, sketch) => {
    const ended = entry({ body: { ...running, status: 'completed' } });
    const run = await judged(harOf(ended, entry({ ...sketch, at: '2026-03-02T12:00:09.000Z' })));
    expect(run).toMatchObject({ requests: 1, unrecorded: 1 });
    expect(run.rules.find(({ id }) => id === 'terminal-is-final')?.verdict).not.toBe('violated');
  });

  test('but not if another field was masked, or an id has an odd form', () => {
    for (const fields of [{ agentName: '***' }, { inputs: { user: '***' } }, { organizationId: 'none' }])
      expect(read(entry({ body: { ...running, ...fields } })).kind).toBe('exchange');
  });

  test('but not a request of a caller that forgot to fill in a template, and was refused', () => {
    expect(read(entry({ url: `${executions}/{executionId}`, status: 400 })).kind).toBe('exchange');
  });

  test('but not a request of a method without a body', () => {
    expect(read(entry({ headers: { 'Content-Type': 'application/json' }, request: { bodySize: -1 } })).kind).toBe(
      'exchange',
    );
  });
});

describe('a line', () => {
  const { exchange } = exchangeOf(entry());
  const answered = (headers: object, body: object) => ({ ...exchange, response: { status: 200, headers, body } });
  test.each([
    [{ 'content-length': '332' }, { kind: 'none' }],
    [{ 'content-length': '332' }, { kind: 'text', text: '{"id":' }],
    [{}, { kind: 'text', text: '{"id":"9b2f…' }],
  ])('with less than the whole answer is left out: %j %j', (headers, body) => {
    expect(read(answered(headers, body)).kind).toBe('unrecorded');
  });

  test('with a body that is shorter because of a redacted key is kept', () => {
    const line = answered({ 'content-length': '50' }, { kind: 'text', text: 'no such key: [redacted]' });
    expect(read({ ...line, response: { ...line.response, repeatsKey: true } }).kind).toBe('exchange');
  });
});

describe('a header', () => {
  test.each([
    ['text', 'text'],
    [5, '5'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
    [['a', 5], 'a, 5'],
  ])('has its value read: %j: %j', (value, via) => {
    const { exchange } = exchangeOf(entry({ response: { headers: [{ name: 'Via', value }] } }));
    expect(exchange.response?.headers).toEqual({ via });
    const line = { ...exchange, response: { ...exchange.response, headers: { Via: value } } };
    expect(exchangeOf(line).exchange.response?.headers).toEqual({ via });
  });
});

describe('an entry without an answer is a failure:', () => {
  const unknown = (message: string) => ({ kind: 'unknown', message });
  test.each([
    ['this suite’s', { status: 0 }, 'timeout: none in 30 s', { kind: 'timeout', message: 'none in 30 s' }],
    ['a browser’s', { status: 0 }, 'net::ERR_FAILED', unknown('net::ERR_FAILED')],
    ['an unknown tool’s', undefined, undefined, unknown('No answer was recorded.')],
    ['Chrome’s', { status: 0, _error: 'net::ERR_EMPTY_RESPONSE' }, undefined, unknown('net::ERR_EMPTY_RESPONSE')],
    ['Playwright’s', { status: -1, _failureText: 'net::ERR_ABORTED' }, undefined, unknown('net::ERR_ABORTED')],
  ])('%s', (_, response, _error, failure) => {
    const { exchange } = exchangeOf({ ...entry(), response, _error });
    expect(exchange).toMatchObject({ failure });
    expect(exchange).not.toHaveProperty('response');
  });
});

test.each([
  [-5, 0],
  [1e300, 3.2e10],
])('a duration of %i ms is not used as it is', (durationMs, want) => {
  const { exchange } = exchangeOf({ ...exchangeOf(entry()).exchange, durationMs });
  expect(exchange.durationMs).toBe(want);
});

test.each<[string | number, number]>([
  ['2026-03-02T12:00:00.500123Z', 1772452800500.123],
  ['2026-03-02T13:00:00.500124+01:00', 1772452800500.124],
  ['2026-03-02T12:00:00Z', 1772452800000],
  [1772452800500.25, 1772452800500.25],
  // In seconds, as most logs count them: in milliseconds it would be in 1970.
  [1772452800.5, 1772452800500],
])('%j is read as %d', (began, want) => {
  const { exchange } = exchangeOf(entry({ more: { startedDateTime: began } }));
  expect(exchange.at).toBeCloseTo(want, 3);
  expect(exchangeOf({ ...exchange, at: began }).exchange.at).toBeCloseTo(want, 3);
});

test('a body of any depth is read, as a value and as a text', () => {
  const { exchange } = exchangeOf(entry());
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  for (const body of [
    { kind: 'json', value: JSON.parse(deep) },
    { kind: 'text', text: deep },
  ])
    expect(exchangeOf({ ...exchange, response: { ...exchange.response, body } }).exchange.response?.body.kind).toBe(
      'json',
    );
});

describe('no key is left', () => {
  const key = 'k/3"y-of-somebody';
  const repeated = {
    ...running,
    agentName: key,
    inputs: { [encodeURIComponent(key)]: Buffer.from(key).toString('base64') },
  };
  const value = entry({
    url: `https://api.example.com/agents/v2/executions/${ids.execution}?key=${encodeURIComponent(key)}`,
    headers: { 'X-Api-Key': key, Authorization: 'Bearer of-somebody', Cookie: 'session=1', 'X-Echo': `<${key}>` },
    body: repeated,
    response: {
      headers: [
        { name: `X-${key}`, value: key },
        { name: 'Set-Cookie', value: 'session=2' },
      ],
    },
  });

  test.each([
    ['in a HAR', value],
    [
      'in an exchange',
      {
        ...exchangeOf(entry({ body: repeated })).exchange,
        request: { ...value.request, headers: { 'x-api-key': key } },
      },
    ],
  ])('%s', (_, given) => {
    const found = exchangeOf(given);
    expect(JSON.stringify(found)).not.toMatch(/of-somebody|session=|a-secret-key/);
    expect(found.answer).not.toContain('somebody');
    expect(found.exchange.response?.repeatsKey).toBe(true);
  });

  test('with two keys in one header, in a failure, or before a host', () => {
    const sent = {
      headers: { 'X-Api-Key': 'key-of-one, key-of-another' },
      url: `https://me:password@api.example.com/agents/v2/executions/${ids.execution}`,
    };
    const failed = { ...entry(sent), response: { status: 0 }, _error: 'the proxy refused key-of-one' };
    const echoed = entry({ ...sent, body: { ...running, agentName: 'key-of-another' } });
    for (const found of [exchangeOf(failed), exchangeOf(echoed)]) {
      expect(JSON.stringify(found)).not.toMatch(/of-one|of-another|password/);
      expect(found.baseUrl).toBe('https://api.example.com');
    }
  });

  test('in a text that was read before with another key', () => {
    const reader = new EntryReader();
    const body = { ...running, agentName: 'key-of-one and key-of-another' };
    const readWith = (key: string, id: number) =>
      JSON.stringify(reader.read(entry({ headers: { 'X-Api-Key': key }, body }), id));
    expect(readWith('key-of-one', 1)).not.toContain('key-of-one');
    expect(readWith('key-of-another', 2)).not.toContain('key-of-another');
  });

  test('whatever words the key contains', () => {
    const key = 'the-hidden-mask';
    const { exchange } = exchangeOf(entry({ headers: { 'X-Api-Key': key }, body: { ...running, agentName: key } }));
    expect(JSON.stringify(exchange)).not.toContain(key);
  });

  test('and a mask is not a key that an answer could repeat', () => {
    for (const mask of ['[redacted]', '***', 'xxxxxxxx', '<hidden>', '<API_KEY>', 'REDACTED']) {
      const masked = entry({ headers: { 'X-Service-Agents-Api-Key': mask }, body: { ...running, agentName: mask } });
      masked.request.headers.shift();
      const { exchange, showsKey } = exchangeOf(masked);
      expect({ showsKey, repeats: exchange.response?.repeatsKey }).toEqual({ showsKey: false, repeats: false });
      expect(exchange.response?.body).toMatchObject({ value: { agentName: mask } });
    }
  });
});

test('headers with the same name are joined', () => {
  const response = {
    headers: [
      { name: 'Via', value: 'a' },
      { name: 'via', value: 'b' },
    ],
  };
  expect(exchangeOf(entry({ response })).exchange.response?.headers).toEqual({ via: 'a, b' });
});

test('requests of other APIs are foreign, and need only a method and an address', () => {
  expect(read({ request: { method: 'GET', url: 'https://example.com/' } })).toEqual({ kind: 'foreign' });
});

test('a word in place of an id may belong to an undocumented operation, if it is accepted', () => {
  const asked = (path: string, status: number) =>
    read(entry({ url: `https://api.example.com/agents/v2/${path}`, status }));
  expect(asked('executions/search?status=running', 200)).toEqual({ kind: 'foreign', mayLookUp: true });
  for (const [path, status] of [
    ['executions/undefined', 404],
    ['executions/exec-17', 200],
    ['executions/recent/files', 200],
    [`executions/${ids.execution}`, 200],
  ] as const)
    expect(asked(path, status).kind, path).toBe('exchange');
});

describe('an error names the fault of', () => {
  const { exchange } = exchangeOf(entry());
  test.each([
    [5, 'it is not an object'],
    [{}, 'request is missing'],
    [{ request: { method: 'GET' } }, 'request.url is missing'],
    [{ request: { method: 5, url: '' } }, 'request.method is not a text'],
    [{ ...entry(), startedDateTime: 'noon' }, 'startedDateTime is not a date and time'],
    [{ ...entry(), response: { status: 'OK' } }, 'response.status is not a number'],
    [entry({ request: { headers: 'none' } }), 'request.headers is not an object'],
    [entry({ response: { headers: [5] } }), 'an item of response.headers is not an object'],
    [
      entry({ response: { headers: [{ name: 'a', value: { toString: 1 } }] } }),
      'response.headers has a header whose value is not a text',
    ],
    [{ ...exchange, at: undefined }, 'at is missing'],
    [{ ...exchange, response: { ...exchange.response, body: { kind: 'xml' } } }, 'response.body has an unknown kind'],
    [{ ...exchange, request: { ...exchange.request, headers: 5 } }, 'request.headers is not an object'],
    [{ ...exchange, request: { ...exchange.request, body: '{}' } }, 'request.body has an unknown kind; use none, json'],
    [{ ...exchange, request: { ...exchange.request, body: { inputs: 1 } } }, 'request.body has an unknown kind'],
  ])('%j', (value, message) => {
    expect(() => read(value)).toThrow(message);
  });
});
