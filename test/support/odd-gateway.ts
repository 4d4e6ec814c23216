/** A gateway that does unusual but valid things, over real sockets. */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const mostBytes = 100_000;

/** Unusual ways to pass on an answer, used in turn. */
const ways: readonly ((outgoing: ServerResponse, status: number, headers: object, body: Buffer) => void)[] = [
  (outgoing, status, headers, body) =>
    outgoing.writeHead(status, { ...headers, 'Content-Encoding': 'gzip' }).end(gzipSync(body)),
  (outgoing, status, headers, body) =>
    outgoing.writeHead(status, { ...headers, 'Content-Encoding': 'br' }).end(brotliCompressSync(body)),
  (outgoing, status, headers, body) => {
    outgoing.writeHead(status, { ...headers, Trailer: 'X-Sum' });
    for (const byte of body) outgoing.write(Buffer.of(byte));
    outgoing.addTrailers({ 'X-Sum': `${body.length}` });
    outgoing.end();
  },
  (outgoing, status, headers, body) => {
    outgoing.writeEarlyHints({ link: '</style.css>; rel=preload' });
    outgoing.writeHead(status, { ...headers, Connection: 'close' }).end(body);
  },
  (outgoing, status, headers, body) =>
    outgoing
      .writeHead(status, { ...headers, Vary: 'Origin', 'Access-Control-Allow-Origin': '*', ETag: '"1"' })
      .end(body),
];

/** A gateway over IPv6 with a base path, which refuses large bodies. */
export async function startOddGateway(target: string): Promise<{ readonly url: string; close(): void }> {
  let count = 0;
  const pass = (incoming: IncomingMessage, sent: Buffer, outgoing: ServerResponse) => {
    const { host: _, connection: __, ...headers } = incoming.headers;
    const url = new URL((incoming.url ?? '').replace(/^\/api\/v1/, ''), target);
    const onward = forward(url, { method: incoming.method ?? 'GET', headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const { 'content-length': ___, connection: ____, 'transfer-encoding': _____, ...others } = answer.headers;
        count += 1;
        const body = Buffer.concat(chunks);
        const way = body.length === 0 ? ways.at(-1) : ways[count % ways.length];
        way?.(outgoing, answer.statusCode ?? 502, others, body);
      });
    });
    onward.end(sent);
  };
  const server = createServer((incoming, outgoing) => {
    if (Number(incoming.headers['content-length']) > mostBytes) {
      // It does not read the body that it refuses.
      outgoing.writeHead(413, { 'Content-Type': 'text/html', Connection: 'close' }).end('<html>413</html>');
      return void outgoing.on('finish', () => incoming.socket.destroySoon());
    }
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => pass(incoming, Buffer.concat(chunks), outgoing));
  });
  server.keepAliveTimeout = 200;
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve));
  return {
    url: `http://[::1]:${(server.address() as AddressInfo).port}/api/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
