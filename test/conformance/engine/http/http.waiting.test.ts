import { createServer, request as forward } from 'node:http';
import { createSecureServer } from 'node:http2';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { httpTransport } from '../../../../conformance/engine/http/http.js';
import { selfSigned } from '../../../fixtures/self-signed.js';
import { commandSays } from '../../../support/command.js';
import { listen, serve } from '../../../support/serve.js';

const closing: { close(): unknown }[] = [];
const opened = <T extends { close(): unknown }>(one: T): T => {
  closing.push(one);
  return one;
};
afterEach(() => Promise.all(closing.splice(0).map((one) => one.close())));

const mark = { scenario: 'test', step: 'test', credential: 'primary' } as const;
const get = (url: string, env: NodeJS.ProcessEnv = {}) =>
  opened(httpTransport(env))({ method: 'GET', url, headers: { 'x-api-key': 'secret' }, timeoutMs: 2000, mark });

/** A name that the proxy knows, and nobody else: no proxy applies to this machine by its own name. */
const elsewhere = (url: string): string => url.replace('127.0.0.1', 'target.test');
const here = (url: string): string => url.replace('target.test', '127.0.0.1');

/** A proxy of the usual kind: absolute URLs, and CONNECT. */
async function startProxy(forwards = true) {
  const through: string[] = [];
  const server = createServer((incoming, outgoing) => {
    through.push(incoming.url ?? '');
    if (!forwards) return outgoing.writeHead(405).end();
    return incoming.pipe(
      forward(here(incoming.url ?? ''), { method: incoming.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  server.on('connect', (incoming, client) => {
    through.push(incoming.url ?? '');
    const [host, port] = here(incoming.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    upstream.pipe(client).pipe(upstream);
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  opened({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return { url: await listen(server), through };
}

describe('an answer', () => {
  test('is read whole, its headers by lower-case names', async () => {
    const server = opened(await serve((_, response) => response.writeHead(201, { 'X-Seen': 'yes' }).end('{"a":1}')));
    const { status, headers, bytes } = await get(server.url);
    expect([status, headers['x-seen'], Buffer.from(bytes).toString()]).toEqual([201, 'yes', '{"a":1}']);
  });

  test('that redirects is not followed', async () => {
    const server = opened(await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end()));
    expect((await get(server.url)).status).toBe(302);
    expect(server.requests).toHaveLength(1);
  });
});

test('a stop ends the current requests, and differs from a timeout', async () => {
  const server = opened(await serve(() => {}));
  const stop = new AbortController();
  const sending = opened(httpTransport({}))({
    method: 'GET',
    url: server.url,
    headers: {},
    timeoutMs: 20_000,
    signal: stop.signal,
    mark,
  });
  stop.abort();
  await expect(sending).rejects.toMatchObject({ kind: 'stopped' });
});

describe('a proxy', () => {
  test.each(['http_proxy', 'HTTP_PROXY'])('is used when %s names one', async (name) => {
    const server = opened(await serve((_, response) => response.end('{}')));
    const proxy = await startProxy();
    expect((await get(elsewhere(server.url), { [name]: proxy.url })).status).toBe(200);
    expect(proxy.through).toHaveLength(1);
  });

  test('that only opens tunnels is used for http', async () => {
    const server = opened(await serve((_, response) => response.end('{}')));
    const proxy = await startProxy(false);
    expect((await get(elsewhere(server.url), { HTTP_PROXY: proxy.url })).status).toBe(200);
    expect(proxy.through).toEqual([elsewhere(server.url).replace('http://', '')]);
  });

  test('without tunnels forwards http, and one that requires a password is named', async () => {
    const server = opened(await serve((_, response) => response.end('{}')));
    const seen: (string | undefined)[] = [];
    const proxy = opened(
      await serve((request, response) => {
        seen.push(request.url, request.headers['proxy-authorization']);
        if (!request.headers['proxy-authorization']) return response.writeHead(407).end();
        return request.pipe(
          forward(here(request.url ?? ''), { headers: request.headers }, (answer) => answer.pipe(response)),
        );
      }),
    );
    const url = elsewhere(server.url);
    expect((await get(url, { HTTP_PROXY: proxy.url.replace('//', '//me:secret@') })).status).toBe(200);
    expect(seen).toEqual([`${url}/`, `Basic ${Buffer.from('me:secret').toString('base64')}`]);
    await expect(get(url, { HTTP_PROXY: proxy.url })).rejects.toThrow(/it answered 407\. It requires a user name/);
  });

  test('is not used for hosts in NO_PROXY', async () => {
    const proxy = await startProxy();
    const asked = get('http://target.test:9', { HTTP_PROXY: proxy.url, NO_PROXY: 'target.test' });
    await expect(asked).rejects.toMatchObject({ kind: 'unreachable' });
    expect(proxy.through).toEqual([]);
  });

  test.each(['127.0.0.1', 'localhost'])('is not used for the same machine (%s)', async (host) => {
    const server = opened(await serve((_, response) => response.end('{}')));
    const proxy = await startProxy();
    expect((await get(server.url.replace('127.0.0.1', host), { HTTP_PROXY: proxy.url })).status).toBe(200);
    expect(proxy.through).toEqual([]);
  });

  test.each(['proxy.example.com:3128', 'me:secret@proxy', 'ftp://me:secret@proxy'])(
    'that is not a URL (%s) is an error of the user, and is not repeated',
    (value) => {
      const make = () => httpTransport({ HTTPS_PROXY: value });
      expect(make).toThrow(expect.objectContaining({ exitCode: 2 }));
      expect(make).toThrow(/^HTTPS_PROXY must be a URL such as http:\/\/proxy\.example\.com:3128\.$/);
    },
  );
});

describe('a proxy without a connection', () => {
  test.each([
    ['http://me:secret@127.0.0.1:9', /^Nothing listens at 127\.0\.0\.1 port 9 \(ECONNREFUSED\)\. This is the proxy/],
    ['http://me:secret@proxy.invalid:9', /^The host name proxy\.invalid does not resolve \(E\w+\)\. This is the proxy/],
  ])('because it does not listen is distinguished from a service that does not: %s', async (proxy, why) => {
    const failed = get('https://target.test', { HTTPS_PROXY: proxy });
    await expect(failed).rejects.toThrow(why);
    await expect(failed).rejects.toThrow(/This is the proxy of HTTPS_PROXY; hosts listed in NO_PROXY bypass it\.$/);
    const past = get('http://127.0.0.1:8', { HTTPS_PROXY: proxy, HTTP_PROXY: proxy });
    await expect(past).rejects.toThrow(/^Nothing listens at 127.0.0.1 port 8 \(ECONNREFUSED\)\.$/);
  });

  test.each([
    [407, /it answered 407\. It requires a user name and a password/],
    [403, /did not connect to the service: it answered 403\. Hosts listed in NO_PROXY bypass it\.$/],
  ])('is distinguished from a service that closes the connection: %i', async (status, says) => {
    const server = createServer();
    server.on('connect', (_, client) => client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`));
    const proxy = (await listen(opened(server))).replace('//', '//me:secret@');
    const failed = get('https://target.test', { HTTPS_PROXY: proxy });
    await expect(failed).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringMatching(says) });
    await expect(failed).rejects.not.toThrow('secret');
  });
});

/** All that the command says of a service that answers every key with 401. */
const checked = (url: string, env: NodeJS.ProcessEnv): Promise<string> =>
  commandSays(['check', url, '--quiet'], { WORKFLOW_API_KEY: 'some-key', ...env });

test('a server with HTTP/2 only is called with HTTP/2 through a proxy', async () => {
  const server = opened(createSecureServer(selfSigned, (_, response) => response.writeHead(401).end('{}')));
  const url = elsewhere((await listen(server)).replace('http:', 'https:'));
  const proxy = await startProxy();
  const env = { HTTPS_PROXY: proxy.url, NO_PROXY: '', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(await checked(url, env)).toContain('The key is refused');
  expect(proxy.through.length).toBeGreaterThan(0);
});

describe('a server that ends its HTTP/2 connections', () => {
  /** SETTINGS, and GOAWAY without an error after stream 0: no request was processed. */
  const ended = Buffer.from('000000040000000000000008070000000000'.concat('00'.repeat(8)), 'hex');

  /** Ends connections at their first request: as the last one that it answers, or before it for the first few. */
  async function ending(unprocessed: number) {
    let [begun, answered] = [0, 0];
    const server = opened(
      createSecureServer(selfSigned, ({ stream }, response) => {
        answered += 1;
        stream.session?.goaway();
        setTimeout(() => response.writeHead(200).end('{}'), 20);
      }),
    );
    const [usual] = server.listeners('secureConnection');
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket) => {
      begun += 1;
      if (begun > unprocessed) usual?.call(server, socket);
      else socket.once('data', () => setTimeout(() => socket.write(ended), 20)).on('error', () => {});
    });
    const url = (await listen(server)).replace('http:', 'https:');
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const send = opened(httpTransport({}));
    const one = async () => {
      const request = { method: 'POST', url, headers: {}, body: '{}', timeoutMs: 5000, newConnection: true, mark };
      return (await send(request)).status;
    };
    return { one, counts: () => [begun, answered] };
  }
  afterEach(() => vi.unstubAllEnvs());

  test('with their first request answers each', async () => {
    const { one, counts } = await ending(0);
    expect(await Promise.all(Array.from({ length: 6 }, one))).toEqual(Array(6).fill(200));
    expect(counts()).toEqual([6, 6]);
  });

  test('before a request gets it again over a new one', async () => {
    const { one, counts } = await ending(2);
    expect(await one()).toBe(200);
    expect(counts()).toEqual([3, 1]);
  });

  test('before each request is reported', async () => {
    const { one, counts } = await ending(Number.POSITIVE_INFINITY);
    await expect(one()).rejects.toThrow('ERR_HTTP2');
    expect(counts()).toEqual([3, 0]);
  });
});
