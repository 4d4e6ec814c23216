import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { httpTransport } from '../../../../conformance/engine/http/http.js';
import { selfSigned } from '../../../fixtures/self-signed.js';
import { commandSays } from '../../../support/command.js';
import { temporaryFolder } from '../../../support/folder.js';
import { listen } from '../../../support/serve.js';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function portOf(server: Server): Promise<string> {
  closing.push(() => server.close());
  return new URL(await listen(server)).port;
}

const mark = { scenario: 'test', step: 'test', credential: 'primary' } as const;

async function get(port: string, newConnection = false) {
  const transport = httpTransport({});
  closing.push(() => transport.close());
  const url = `http://127.0.0.1:${port}/`;
  const { bytes, headers } = await transport({ method: 'GET', url, headers: {}, timeoutMs: 2000, mark, newConnection });
  return { text: Buffer.from(bytes).toString(), headers };
}

test.each([
  ['with a header of zlib', deflateSync],
  ['without one', deflateRawSync],
])('deflate is read %s', async (_, deflate) => {
  const port = await portOf(
    createServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflate('{"a":1}'));
    }),
  );
  expect((await get(port)).text).toBe('{"a":1}');
});

test('headers of 64 KB are read', async () => {
  const policy = 'p'.repeat(64 * 1024);
  const port = await portOf(createServer((_, response) => response.writeHead(200, { policy }).end('{}')));
  expect((await get(port)).headers.policy).toBe(policy);
});

test('a request that must not be repeated has a connection of its own', async () => {
  const port = await portOf(
    createServer(({ headers: { connection } }, response) => {
      response.writeHead(200, { seen: connection }).end('{}');
    }),
  );
  expect((await get(port)).headers.seen).toBe('keep-alive');
  expect((await get(port, true)).headers.seen).toBe('close');
});

test('if the server accepts one connection, idle ones are closed for a request with its own connection', async () => {
  const server = createServer((_, response) => response.end('{}'));
  server.maxConnections = 1;
  const port = await portOf(server);
  const transport = httpTransport({});
  closing.push(() => transport.close());
  const ask = (newConnection: boolean) =>
    transport({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, timeoutMs: 2000.5, mark, newConnection });
  await ask(false);
  await expect(ask(true)).rejects.toThrow();
  for (let time = 0; time < 5; time += 1) {
    // The server may be late to see that a connection was closed; an idle one would stand in the way for seconds.
    await vi.waitFor(() => ask(true));
    await vi.waitFor(() => ask(false));
  }
});

test('if the server serves one connection at a time, idle ones are closed for a waiting one', async () => {
  const server = createServer((_, response) => response.end('{}'));
  const line: Socket[] = [];
  let served: Socket | undefined;
  const next = () => {
    served = line.shift();
    if (!served) return;
    server.emit('connection', served.once('close', next));
    served.resume();
  };
  const port = await portOf(
    createTcpServer({ pauseOnConnect: true }, (socket) => {
      line.push(socket);
      if (!served) next();
    }),
  );
  const transport = httpTransport({});
  closing.push(() => transport.close());
  const ask = (newConnection: boolean) =>
    transport({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, timeoutMs: 3000, mark, newConnection });
  await ask(false);
  expect((await ask(true)).status).toBe(200);
});

test('each request has a connection of its own over HTTP/2, which ends with its answer', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  closing.push(() => vi.unstubAllEnvs());
  const server = createSecureServer(selfSigned, (_, response) => {
    setTimeout(() => response.end('x'.repeat(100_000)), 20);
  });
  let open = 0;
  let opened = 0;
  server.on('session', (session) => {
    open += 1;
    opened += 1;
    session.on('close', () => {
      open -= 1;
    });
  });
  const port = await portOf(server);
  const transport = httpTransport({});
  closing.push(() => transport.close());
  const get = async (newConnection: boolean) => {
    const url = `https://127.0.0.1:${port}/`;
    const { bytes } = await transport({ method: 'GET', url, headers: {}, timeoutMs: 5000, mark, newConnection });
    expect(bytes).toHaveLength(100_000);
  };
  for (const fresh of [false, false, true, true, false]) await get(fresh);
  expect(opened).toBe(5);
  await expect.poll(() => open, { timeout: 5000 }).toBe(0);
});

test('a server with HTTP/2 only is called with HTTP/2, and one that requires a client certificate gets that of the target file', async () => {
  const answer = '{"code":401,"message":"no"}';
  const http2 = await portOf(
    createSecureServer(selfSigned, (_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(answer);
    }),
  );
  const options = { ...selfSigned, ca: selfSigned.cert, requestCert: true, rejectUnauthorized: true };
  const asking = await portOf(createTlsServer(options, (_, response) => response.writeHead(401).end(answer)));
  const folder = temporaryFolder();
  await writeFile(join(folder, 'client.pem'), selfSigned.cert);
  await writeFile(join(folder, 'client.key'), selfSigned.key);
  const certificate = 'clientCertificate: {certificate: client.pem, key: client.key}';
  const told = [http2, asking].map(async (port) => {
    const target = join(folder, `${port}.yaml`);
    await writeFile(target, `baseUrl: https://127.0.0.1:${port}\n${certificate}\n`);
    return check(target, join(folder, 'client.pem'));
  });
  for (const text of await Promise.all(told)) expect(text).toContain('The key is refused');
});

/** What the command says, which is started anew: authorities are read at the start. */
const check = (target: string, authority: string): Promise<string> =>
  commandSays(['check', '--target', target, '--quiet'], {
    NODE_EXTRA_CA_CERTS: authority,
    WORKFLOW_API_KEY: 'some-long-key',
  });
