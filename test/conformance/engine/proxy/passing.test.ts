import { request as ask, createServer, type IncomingMessage, type RequestOptions, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  lineOf,
  ownAnswerHeader,
  type PassedExchange,
  type PassingOptions,
  startFront,
} from '../../../../conformance/engine/proxy/passing.js';
import { selfSigned } from '../../../fixtures/self-signed.js';
import { listen } from '../../../support/serve.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  closing.push(() => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

async function proxied(upstream: string, options: Partial<PassingOptions> = {}) {
  const passed: PassedExchange[] = [];
  const front = await startFront({ upstream, passed: (one) => passed.push(one), ...options });
  closing.push(() => front.close(0));
  return { ...front, passed };
}

const all = async (message: IncomingMessage): Promise<Buffer> => Buffer.concat(await message.toArray());

interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const send = (url: string, options: RequestOptions = {}, pieces: readonly Uint8Array[] = []): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = ask(url, { agent: false, ...options }, (message) => {
      const { statusCode: status = 0, statusMessage: reason = '', rawHeaders: headers } = message;
      all(message).then((body) => resolve({ status, reason, headers, body }), reject);
    });
    request.on('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });

/** The headers that do not belong to the connection, in their order. */
const lasting = (headers: readonly string[]) =>
  headers.flatMap((name, index) =>
    index % 2 === 0 && !/^(?:host|connection|keep-alive|transfer-encoding)$/i.test(name)
      ? [[name, headers[index + 1]]]
      : [],
  );

const name = fc.stringMatching(/^X-[A-Za-z0-9-]{1,12}$/);
const value = fc.stringMatching(/^(?:[!-~](?:[ -~]{0,20}[!-~])?)?$/);
/** Names, values and bodies as they may be on the wire. */
const message = fc.record({
  headers: fc.array(fc.tuple(name, value), { maxLength: 8 }),
  pieces: fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 5 }),
  isChunked: fc.boolean(),
});
const status = fc.constantFrom(200, 202, 204, 301, 304, 400, 404, 418, 500, 503);

type Framed = { headers: [string, string][]; pieces: Uint8Array[]; isChunked: boolean };
const framed = ({ headers, pieces, isChunked }: Framed) => {
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return [...headers, isChunked ? ['Transfer-Encoding', 'chunked'] : ['content-Length', `${bytes}`]].flat();
};

test('bytes, method, path, status, reason and order of headers pass without changes', async () => {
  let answer: Framed & { status: number };
  let seen: object = {};
  const upstream = await listening(
    createServer(async (request, response) => {
      const { method, url, rawHeaders } = request;
      seen = { method, url, headers: lasting(rawHeaders), body: await all(request) };
      response.sendDate = false;
      response.writeHead(answer.status, 'As It Is', answer.pieces.length > 0 ? framed(answer) : answer.headers.flat());
      for (const piece of answer.pieces) response.write(piece);
      response.end();
    }),
  );
  const front = await proxied(upstream);
  const methods = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE');
  const paths = fc.stringMatching(/^\/[\w/.~%-]{0,20}(?:\?[\w=&]{0,10})?$/);
  await fc.assert(
    fc.asyncProperty(methods, paths, message, status, message, async (method, path, question, code, given) => {
      answer = { ...given, status: code, ...((code === 204 || code === 304) && { pieces: [] }) };
      const both = [];
      for (const url of [upstream, front.url]) {
        const headers = ['Host', 'a.example', ...framed(question)] as never;
        const got = await send(`${url}${path}`, { method, headers }, question.pieces);
        both.push({ got: { ...got, headers: lasting(got.headers) }, seen });
      }
      expect(both[1]).toEqual(both[0]);
    }),
    { numRuns: 80 },
  );
  expect(front.passed.length).toBeGreaterThanOrEqual(80);
});

test('an exchange is passed to the listener with its bodies decoded', async () => {
  const upstream = await listening(
    createServer((request, response) => {
      request.resume();
      response.writeHead(202, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' });
      response.end(gzipSync('{"a":1}'));
    }),
  );
  const front = await proxied(`${upstream}/gateway/`);
  await send(`${front.url}/agents/v2/x?y=1`, { method: 'POST' }, [Buffer.from('{"b":'), Buffer.from('2}')]);
  const url = `${upstream}/gateway/agents/v2/x?y=1`;
  expect(front.passed.map(lineOf)).toMatchObject([
    {
      request: { method: 'POST', url, body: { kind: 'text', text: '{"b":2}' } },
      response: {
        status: 202,
        headers: { 'content-type': 'application/json' },
        body: { kind: 'text', text: '{"a":1}' },
      },
    },
  ]);
});

test.each([
  ['too large', Buffer.alloc(5000, 'a'), {}],
  ['not encoded as its header says', Buffer.from('{}'), { 'Content-Encoding': 'gzip' }],
])('an answer whose body is %s passes and is not judged', async (_, body, headers) => {
  const upstream = await listening(createServer((_, response) => response.writeHead(200, headers).end(body)));
  const front = await proxied(upstream, { limitBytes: 1000 });
  expect((await send(front.url)).body).toEqual(body);
  expect(front.passed.map(lineOf)).toMatchObject([{ response: { body: { kind: 'lost' } } }]);
});

/** A service that answers each connection by this, when all of the text has arrived. */
const raw = (act: (socket: Socket) => unknown, until = '\r\n\r\n') =>
  listening(
    createTcpServer((socket) => {
      let received = '';
      socket.on('error', () => {});
      socket.on('data', (piece) => {
        received += piece;
        if (received.endsWith(until)) act(socket);
      });
    }),
  );
const answers = (text: string) => (socket: Socket) => socket.end(text);
const own = (answer: Answer) => answer.headers[answer.headers.indexOf(ownAnswerHeader) + 1];

describe('an upstream', () => {
  test('that does not listen is a 502 of the proxy', async () => {
    const gone = await listening(createTcpServer());
    for (const close of closing.splice(0)) await close();
    const front = await proxied(gone);
    const answer = await send(front.url, { method: 'POST' }, [Buffer.alloc(100_000)]);
    expect([answer.status, own(answer)]).toEqual([502, 'unreachable']);
    expect(front.passed).toMatchObject([{ failure: { kind: 'unreachable' } }]);
    expect(front.passed[0]?.response).toBeUndefined();
  });

  test.each([
    ['does not speak TLS', () => createServer((_, response) => response.end()), /does not speak TLS .* write http:/],
    [
      'speaks only HTTP/2',
      () => createTlsServer({ ...selfSigned, ALPNProtocols: ['h2'] }),
      /does not speak HTTP\/1\.1, perhaps only HTTP\/2\.$/,
    ],
  ])('that %s is a 502 with the reason', async (_, made, reason) => {
    const front = await proxied((await listening(made())).replace('http:', 'https:'));
    expect((await send(front.url)).status).toBe(502);
    expect(front.passed[0]?.failure?.message).toMatch(reason);
  });

  test.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes', (socket: Socket) => socket.end()],
    ['does not answer in HTTP', answers('nonsense\r\n\r\n')],
    ['answers with a status below 100', answers('HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nok')],
    ['answers with endless headers', answers(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`)],
    ['stops in the middle', answers('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
  ])('that %s breaks the connection of the caller too', async (_, act) => {
    const front = await proxied(await raw(act));
    await expect(send(front.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(front.passed).toMatchObject([{ failure: { kind: 'broken' } }]);
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
    let hasLeft = false;
    const upstream = await raw((socket) => {
      socket.on('close', () => {
        hasLeft = true;
      });
      request.destroy();
    });
    const front = await proxied(upstream);
    const request = ask(front.url, { agent: false }).on('error', () => {});
    request.end();
    const seen = () => [hasLeft, front.passed[0]?.failure?.kind];
    await expect.poll(seen, { timeout: 60_000 }).toEqual([true, 'stopped']);
  });
});

const ok = 'HTTP/1.1 200 OK\r\nX-A: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';

/** What comes back on a connection until it is closed. */
const say = async (url: string, text: string): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(text);
  return Buffer.concat(await socket.toArray()).toString();
};

test.each([
  ['answered', true],
  ['aborted', false],
])('a request that was %s before its body was complete is not judged by a part of it', async (_, isAnswered) => {
  const front = await proxied(await raw((socket) => isAnswered && socket.end(ok), '{"a":'));
  const socket = connect(Number(new URL(front.url).port), '127.0.0.1').on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300\r\n\r\n{"a":');
  if (isAnswered) socket.once('data', () => socket.destroy());
  else socket.end();
  await expect.poll(() => front.passed.length, { timeout: 60_000 }).toBe(1);
  expect(front.passed[0]?.request.body).toBeUndefined();
});

test('a caller with HTTP/1.0 gets an answer without chunks', async () => {
  const front = await proxied(await raw(answers(ok)));
  expect(await say(front.url, 'GET / HTTP/1.0\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 200 OK\r\nX-A: b\r\n(?!Tr).*\r\n\r\nok$/s,
  );
});

test.each(['http://b.example/a', '*'])('%s is no path, and is refused by the proxy', async (target) => {
  const front = await proxied(await raw(answers(ok)));
  const answer = await say(front.url, `OPTIONS ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 400 Bad Request\r\n.*${ownAnswerHeader}: not-a-path\r\n`, 's'));
  expect(front.passed).toEqual([]);
});

test('a request without a body stays one without a length, unless it might have a body', async () => {
  const received: string[][] = [];
  const upstream = await listening(
    createServer((request, response) => {
      received.push([request.method ?? '', `${request.headers['content-length']}`]);
      response.end(request.headers['transfer-encoding']);
    }),
  );
  const front = await proxied(upstream);
  for (const method of ['GET', 'DELETE', 'POST', 'PATCH'])
    expect(await say(front.url, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).not.toContain(
      'chunked\n',
    );
  expect(received).toEqual([
    ['GET', 'undefined'],
    ['DELETE', 'undefined'],
    ['POST', '0'],
    ['PATCH', '0'],
  ]);
});
