import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { httpTransport } from '../../../../conformance/engine/http/http.js';
import { listen } from '../../../support/serve.js';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

const mark = { scenario: 'test', step: 'test', credential: 'primary' } as const;

/** Asks a server that answers with just these bytes as soon as it hears of a request. */
async function ask(reply: (socket: Socket) => void, body?: string, host = '127.0.0.1') {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => reply(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closing.push(() => server.close());
  const transport = httpTransport({});
  closing.push(() => transport.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  const method = body === undefined ? 'GET' : 'POST';
  const request = { method, url, headers: {}, timeoutMs: 2000, mark, ...(body !== undefined && { body }) };
  const { status, bytes } = await transport(request);
  return [status, Buffer.from(bytes).toString()];
}

const json = '{"a":1}';
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const ok = lines('HTTP/1.1 200 OK', 'Content-Length: 7') + json;

test.each([
  ['of HTTP/1.0, without a length', lines('HTTP/1.0 200 OK') + json],
  ['that ends with the connection', lines('HTTP/1.1 200 OK', 'Connection: close') + json],
  ['after early hints', lines('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload') + ok],
  ['without a reason', lines('HTTP/1.1 200', 'Content-Length: 7') + json],
  [
    'in pieces, with trailers',
    `${lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Trailer: X-Sum')}7\r\n${json}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  ],
])('an answer %s is read', async (_, text) => {
  expect(await ask((socket) => socket.end(text))).toEqual([200, json]);
});

test('an answer over IPv6 is read', async () => {
  expect(await ask((socket) => socket.end(ok), undefined, '::1')).toEqual([200, json]);
});

const encoded = (coding: string, body: Buffer) => (socket: Socket) =>
  socket.end(
    Buffer.concat([
      Buffer.from(lines('HTTP/1.1 200 OK', `Content-Encoding: ${coding}`, `Content-Length: ${body.length}`)),
      body,
    ]),
  );

test('an answer with two encodings is read', async () => {
  expect(await ask(encoded('gzip, BR', brotliCompressSync(gzipSync(json))))).toEqual([200, json]);
});

test.each(['none', 'utf-8', ''])('an answer with an unknown encoding (%j) is read', async (coding) => {
  expect(await ask(encoded(coding, Buffer.from(json)))).toEqual([200, json]);
});

test('an answer after interim responses is read, and the next one over the same connection', async () => {
  const interim = lines('HTTP/1.1 103 Early Hints', 'Server: gate');
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', () => {
      socket.write(interim);
      setTimeout(() => socket.write(interim + ok), 20);
    });
  });
  const url = await listen(server);
  closing.push(() => server.close());
  const transport = httpTransport({});
  closing.push(() => transport.close());
  for (const body of [undefined, json]) {
    const method = body === undefined ? 'GET' : 'POST';
    const { status, bytes } = await transport({
      method,
      url,
      headers: {},
      timeoutMs: 2000,
      mark,
      ...(body && { body }),
    });
    expect([status, Buffer.from(bytes).toString()]).toEqual([200, json]);
    // Until the connection is free again.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(connections).toBe(1);
});

test('an answer in a coding that the request does not accept is lost, if its body is not JSON', async () => {
  await expect(ask(encoded('zstd', Buffer.from('(\xb5/\xfd', 'latin1')))).rejects.toMatchObject({
    kind: 'broken',
    message: expect.stringContaining('zstd'),
  });
});

test.each([
  ['ends', (socket: Socket) => socket.end()],
  ['breaks', (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 20)],
])('a refusal of a large body is read, even if the connection %s during the request', async (_, close) => {
  const refusal = lines('HTTP/1.1 413 Content Too Large', 'Content-Length: 7', 'Connection: close') + json;
  const large = 'x'.repeat(3_000_000);
  expect(await ask((socket) => socket.write(refusal, () => close(socket)), large)).toEqual([413, json]);
});
