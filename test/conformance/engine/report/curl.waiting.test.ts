import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { curl, quote } from '../../../../conformance/engine/report/curl.js';
import { redacted } from '../../../../conformance/engine/rule/values.js';
import type { Body, Exchange, Mark } from '../../../../conformance/engine/vocabulary.js';
import { listen } from '../../../support/serve.js';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

// Only a shell and curl show that a line works, and not every machine has them.
const sent = test.skipIf(spawnSync('bash', ['-c', 'curl --version']).status !== 0);

const received: Received[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
    response.end('{}');
  });
});
let baseUrl = '';

beforeAll(async () => {
  baseUrl = await listen(server);
});
afterAll(() => server.close());

const noBody: Body = { kind: 'none' };
const raw = (text: string): Body => ({ kind: 'not-json', text, error: '', bytes: Buffer.byteLength(text) });

async function send(request: Partial<Exchange['request']>, mark?: Partial<Mark>): Promise<Received> {
  const line = curl({
    request: { method: 'GET', url: `${baseUrl}/agents/v2/executions/1`, headers: {}, body: noBody, ...request },
    ...(mark && { mark: { scenario: 'j', step: 's', credential: 'primary', ...mark } }),
  });
  // By standard input: bash takes no longer argument than curl does.
  const bash = spawn('bash', {
    env: {
      PATH: process.env.PATH,
      NO_PROXY: '*',
      WORKFLOW_API_KEY: 'the "key" $1',
      RESTRICTED_KEY: 'other',
      X_TENANT: 'acme',
    },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  bash.stdin.end(`${line}\n`);
  await once(bash, 'close');
  const last = received.at(-1);
  if (!last) throw new Error('nothing arrived');
  return last;
}

const hostile = [
  `it's "quoted" \\ and $HOME \`id\` !! $(id)`,
  'two\nlines\r\nand\ttabs',
  'ünïcödé 日本 🙂',
  'control \u0001\u001b[31m\u007f\u0085 bidi \u202e override \u200b \u2028 \ufeff',
  '@/etc/hostname',
  '-o /tmp/x',
  '%41 %s %b \\x41 \\0101',
  "\n'",
];

test('headers that a browser adds are left out, and those of its page are kept', () => {
  const headers = {
    'sec-fetch-mode': redacted,
    'sec-ch-ua': '"x"',
    referer: redacted,
    origin: 'https://app.example.com',
  };
  const line = curl({ request: { method: 'GET', url: 'https://api.example.com/a', headers, body: noBody } });
  expect(line).toBe("curl -sS -i https://api.example.com/a -H 'origin: https://app.example.com'");
});

describe('a body arrives unchanged', () => {
  sent.each(hostile)('as text: %j', async (text) => {
    const { body, method } = await send({ method: 'POST', body: raw(text) });
    expect(body.toString()).toBe(text);
    expect(method).toBe('POST');
  });

  sent('inside JSON', async () => {
    const value = { [hostile.join('')]: [...hostile, null, 1.5] };
    const { body } = await send({ method: 'PATCH', body: { kind: 'json', value, bytes: 0 } });
    expect(JSON.parse(body.toString())).toEqual(value);
  });

  sent('with NUL', async () => {
    const text = `a\0b\\c\0${'7'}'%`;
    expect((await send({ method: 'POST', body: raw(text) })).body.toString()).toBe(text);
  });

  sent('longer than an argument can be', async () => {
    const text = `${'ä\\'.repeat(60_000)}\n`;
    expect((await send({ method: 'POST', body: raw(text) })).body.toString()).toBe(text);
  });
});

describe('the rest of a request', () => {
  sent('has the unchanged path', async () => {
    const url = '/agents/v2/../[x]/{a,b}/%2e%2e/./y?q=[1-3]&r={b}';
    expect((await send({ url: `${baseUrl}${url}` })).url).toBe(url);
  });

  sent('has the media type of the request, and none if it had none', async () => {
    expect((await send({ method: 'POST', body: raw('x') })).headers['content-type']).toBeUndefined();
    const headers = { 'content-type': 'text/plain; x="1"' };
    expect((await send({ method: 'POST', body: raw('x'), headers })).headers).toMatchObject(headers);
  });

  sent('has headers with quotes and dollars, and an empty one', async () => {
    const headers = { 'x-odd': `'a' "b" $HOME \\`, 'x-empty': '' };
    expect((await send({ headers })).headers).toMatchObject(headers);
  });

  test('has none of the headers that curl adds, and none with an invalid name', () => {
    const headers = {
      Host: 'h',
      'Content-Length': '3',
      ':authority': 'h',
      '@/etc/hostname': 'x',
      'accept-encoding': 'br',
    };
    expect(curl({ request: { method: 'GET', url: 'http://x/', headers, body: noBody } })).not.toMatch(/-H /);
  });

  test('a URL that looks like an option is not one', () => {
    const line = curl({ request: { method: '-K', url: '-K/etc/x', headers: {}, body: noBody } });
    expect(line).toBe('curl -sS -i -X -K --url -K/etc/x');
  });
});

describe('keys are shell variables', () => {
  sent.each([
    ['primary', 'the "key" $1'],
    ['restricted', 'other'],
  ] as const)('of the %s key', async (credential, key) => {
    const { headers } = await send({ headers: { 'X-Service-Agents-Api-Key': redacted } }, { credential });
    expect(headers['x-service-agents-api-key']).toBe(key);
  });

  test('written in double quotes, so that the line can be read', () => {
    const request = { method: 'GET', url: 'http://x/', headers: { 'X-Api-Key': redacted }, body: noBody };
    expect(curl({ request })).toContain('-H "X-Api-Key: $WORKFLOW_API_KEY"');
  });

  sent('of another redacted header, by its name', async () => {
    const { headers } = await send({ headers: { 'X-Tenant': redacted, authorization: `a ${redacted} b` } });
    expect(headers).toMatchObject({ 'x-tenant': 'acme', authorization: 'a  b' });
  });

  test('masked values are variables too', () => {
    const body = { kind: 'json', value: { password: "it's [masked 2]" }, bytes: 1 } as const;
    const request = { method: 'PATCH', url: 'http://x/', headers: {}, body };
    expect(curl({ request })).toContain(`--data-raw '{"password":"it'\\''s '"$MASKED_2"'"}'`);
  });

  sent('a wrong key is sent unchanged, and none if there was none', async () => {
    expect((await send({ headers: { 'X-Api-Key': 'not-a-key-1' } }, { credential: 'invalid' })).headers).toMatchObject({
      'x-api-key': 'not-a-key-1',
    });
    expect((await send({}, { credential: 'none' })).headers).not.toHaveProperty('x-api-key');
  });
});

describe('quote', () => {
  test.each([
    ['plain/path-1', 'plain/path-1'],
    ['', "''"],
    ["it's", "'it'\\''s'"],
    ['a\nb', "$'a\\nb'"],
    ['\u202e', "$'\\xe2\\x80\\xae'"],
  ])('%j becomes %s', (given, want) => {
    expect(quote(given)).toBe(want);
  });
});
