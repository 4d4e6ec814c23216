import { Agent, request as ask, createServer, type IncomingMessage, type RequestOptions, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type Front, startFront } from '../../../../conformance/engine/proxy/live.js';
import {
  lineOf,
  ownAnswerHeader,
  type PassedExchange,
  type PassingOptions,
} from '../../../../conformance/engine/proxy/passing.js';
import { selfSigned } from '../../../fixtures/self-signed.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function proxied(
  upstream: string,
  options: Partial<PassingOptions> = {},
): Promise<Front & { passed: PassedExchange[] }> {
  const passed: PassedExchange[] = [];
  const front = await startFront({ upstream, passed: (one) => passed.push(one), ...options });
  closing.push(() => front.close(0));
  return { ...front, passed };
}

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly trailers: readonly string[];
}

const all = async (message: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces);
};

type Pairs = readonly [string, string][];

const send = (
  url: string,
  options: RequestOptions = {},
  pieces: readonly Uint8Array[] = [],
  trailers: Pairs = [],
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = ask(url, { agent: false, ...options }, async (message) => {
      try {
        const body = await all(message);
        resolve({
          status: message.statusCode ?? 0,
          reason: message.statusMessage ?? '',
          headers: message.rawHeaders,
          body,
          trailers: message.rawTrailers,
        });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
    for (const piece of pieces) request.write(piece);
    request.addTrailers(trailers);
    request.end();
  });

const withoutHost = (headers: readonly string[]) =>
  headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== 'host');

/** Names and values as they may stand on the wire; none that says how a message is framed. */
const name = fc.stringMatching(/^X-[A-Za-z0-9-]{1,12}$/);
const value = fc.stringMatching(/^(?:[!-~](?:[ -~]{0,20}[!-~])?)?$/);
const headers = fc.array(fc.tuple(name, value), { maxLength: 8 });
const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 5 });
const framing = fc.constantFrom('length', 'chunked');
/** Only chunks can be followed by them. */
const message = fc.record({ headers, pieces, framing, isPacked: fc.boolean(), trailers: headers });
const status = fc.constantFrom(200, 202, 204, 301, 304, 400, 404, 418, 500, 503);

const framed = (one: { headers: [string, string][]; pieces: Uint8Array[]; framing: string; isPacked: boolean }) => {
  const sent = one.isPacked ? [gzipSync(Buffer.concat(one.pieces))] : one.pieces;
  const bytes = sent.reduce((sum, piece) => sum + piece.length, 0);
  const frame: [string, string][] =
    one.framing === 'chunked' ? [['Transfer-Encoding', 'chunked']] : [['content-Length', String(bytes)]];
  const packed: [string, string][] = one.isPacked ? [['Content-Encoding', 'gzip']] : [];
  return { headers: [...one.headers, ...packed, ...frame].flat(), pieces: sent };
};

test('bytes, status, reason, order of headers and trailers pass without changes', async () => {
  let answer: { status: number; headers: string[]; pieces: readonly Uint8Array[]; trailers: Pairs };
  let seen: { method: string; url: string; headers: string[]; body: Buffer; trailers: string[] } | undefined;
  let followed = 0;
  const server = createServer(async (request, response) => {
    const body = await all(request);
    const { method = '', url = '', rawHeaders, rawTrailers } = request;
    seen = { method, url, headers: rawHeaders, body, trailers: rawTrailers };
    response.sendDate = false;
    response.writeHead(answer.status, 'As It Is', answer.headers);
    for (const piece of answer.pieces) response.write(piece);
    response.addTrailers(answer.trailers);
    response.end();
  });
  const upstream = await listening(server);
  const front = await proxied(upstream);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
      fc.stringMatching(/^\/[\w/.~%-]{0,20}(?:\?[\w=&]{0,10})?$/),
      message,
      status,
      message,
      async (method, path, question, code, given) => {
        const isEmpty = code === 204 || code === 304;
        const { headers: back, pieces: body } = framed({
          ...given,
          ...(isEmpty && { pieces: [], isPacked: false, framing: 'length' }),
        });
        answer = {
          status: code,
          headers: code === 204 ? back.slice(0, -2) : back,
          pieces: isEmpty ? [] : body,
          trailers: given.trailers,
        };
        const asked = framed(question);
        const both = [];
        for (const url of [upstream, front.url]) {
          seen = undefined;
          const got = await send(
            `${url}${path}`,
            { method, headers: ['Host', 'a.example', ...asked.headers] as never },
            asked.pieces,
            question.trailers,
          );
          if (got.trailers.length > 0) followed += 1;
          both.push({
            got,
            seen: {
              ...(seen as never as object),
              headers: withoutHost((seen as never as { headers: string[] }).headers),
            },
          });
        }
        expect(both[1]).toEqual(both[0]);
      },
    ),
    { numRuns: 80 },
  );
  expect(front.passed.length).toBeGreaterThanOrEqual(80);
  expect(followed).toBeGreaterThan(20);
});

test('a connection whose answer arrives while the proxy closes is closed with it', async () => {
  let answer = () => {};
  const server = createServer((_, response) => {
    answer = () => response.end('late');
  });
  server.keepAliveTimeout = 60_000;
  const front = await proxied(await listening(server));
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  const sent = send(front.url, { agent });
  await expect.poll(() => String(answer)).toContain('late');
  const begun = performance.now();
  const closed = front.close(30_000);
  answer();
  expect((await sent).body.toString()).toBe('late');
  await closed;
  expect(performance.now() - begun).toBeLessThan(5000);
}, 20_000);

describe('an exchange that passes', () => {
  test('is passed to the listener, decoded', async () => {
    const upstream = await listening(
      createServer((request, response) => {
        request.resume();
        response.writeHead(202, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' });
        response.end(gzipSync('{"a":1}'));
      }),
    );
    const front = await proxied(`${upstream}/gateway/`);
    await send(`${front.url}/agents/v2/x?y=1`, { method: 'POST' }, [Buffer.from('{"b":'), Buffer.from('2}')]);
    expect(front.passed.map(lineOf)).toMatchObject([
      {
        request: {
          method: 'POST',
          url: `${upstream}/gateway/agents/v2/x?y=1`,
          body: { kind: 'text', text: '{"b":2}' },
        },
        response: {
          status: 202,
          headers: { 'content-type': 'application/json' },
          body: { kind: 'text', text: '{"a":1}' },
        },
      },
    ]);
  });

  test('is passed on but not kept when its body is too large', async () => {
    const upstream = await listening(createServer((_, response) => response.end(Buffer.alloc(5000, 'a'))));
    const front = await proxied(upstream, { limitBytes: 1000 });
    expect((await send(front.url)).body).toHaveLength(5000);
    expect(front.passed.map(lineOf)).toMatchObject([{ response: { body: { kind: 'lost' } } }]);
  });
});

describe('an upstream', () => {
  /** Answers every connection by this. */
  const raw = (act: (socket: Socket) => unknown) =>
    listening(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => act(socket));
      }),
    );
  const own = (answer: Answer) => answer.headers[answer.headers.indexOf(ownAnswerHeader) + 1];

  test('that does not listen is a 502 that names the proxy as its sender', async () => {
    const gone = await listening(createTcpServer());
    for (const close of closing.splice(0)) await close();
    const front = await proxied(gone);
    const answer = await send(front.url);
    expect([answer.status, own(answer)]).toEqual([502, 'unreachable']);
    expect(front.passed).toMatchObject([{ failure: { kind: 'unreachable' } }]);
    expect(front.passed[0]?.response).toBeUndefined();
  });

  test('that does not speak TLS is distinguished from one that does not listen', async () => {
    const plain = await listening(createServer((_, response) => response.end()));
    const front = await proxied(plain.replace('http:', 'https:'));
    expect((await send(front.url)).status).toBe(502);
    expect(front.passed[0]?.failure?.message).toMatch(/does not speak TLS .* write http:/);
  });

  test('that speaks HTTP/2 only is distinguished as well', async () => {
    const other = await listening(createTlsServer({ ...selfSigned, ALPNProtocols: ['h2'] }));
    const front = await proxied(other.replace('http:', 'https:'));
    expect((await send(front.url)).status).toBe(502);
    expect(front.passed[0]?.failure?.message).toMatch(/does not speak HTTP\/1\.1, perhaps only HTTP\/2\.$/);
  });

  test.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy(), 'read ECONNRESET'],
    ['closes', (socket: Socket) => socket.end(), 'socket hang up'],
  ])('that %s is recorded as that', async (_, act, message) => {
    const front = await proxied(await raw(act));
    await expect(send(front.url)).rejects.toMatchObject({ message });
    expect(front.passed).toMatchObject([{ failure: { kind: 'broken' } }]);
  });

  test('that does not answer in HTTP is a 502 of the proxy', async () => {
    const front = await proxied(await raw((socket) => socket.end('nonsense\r\n\r\n')));
    const answer = await send(front.url);
    expect([answer.status, own(answer)]).toEqual([502, 'broken']);
  });

  test('that stops in the middle is an answer that is cut off', async () => {
    const front = await proxied(await raw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')));
    await expect(send(front.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(front.passed).toMatchObject([{ failure: { kind: 'broken', message: 'The answer was cut off.' } }]);
  });

  test('that is slow is waited for, unless a timeout is set: then it is a 504 of the proxy', async () => {
    const upstream = await raw((socket) =>
      setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 300),
    );
    expect((await send((await proxied(upstream)).url)).status).toBe(200);
    const hasty = await proxied(upstream, { timeoutMs: 50 });
    const answer = await send(hasty.url);
    expect([answer.status, own(answer)]).toEqual([504, 'timeout']);
    expect(hasty.passed).toMatchObject([{ failure: { kind: 'timeout' } }]);
  });

  test('is disconnected when the caller disconnects', async () => {
    let left = false;
    let leave = () => {};
    const upstream = await raw((socket) => {
      socket.on('close', () => {
        left = true;
      });
      leave();
    });
    const front = await proxied(upstream);
    const request = ask(front.url, { agent: false }).on('error', () => {});
    leave = () => request.destroy();
    request.end();
    const seen = () => [left, front.passed[0]?.failure?.kind];
    await expect.poll(seen, { timeout: 60_000 }).toEqual([true, 'stopped']);
  });
});
