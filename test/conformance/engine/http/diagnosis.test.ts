import { createServer, type Socket } from 'node:net';
import { connect, createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { diagnosis } from '../../../../conformance/engine/http/connections.js';
import { httpTransport } from '../../../../conformance/engine/http/http.js';
import { selfSigned } from '../../../fixtures/self-signed.js';
import { listen } from '../../../support/serve.js';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

const failed = (code: string, more: object = {}) => diagnosis(new Error('outer', { cause: { code, ...more } }));

const authority = /not issued by a known authority .*NODE_EXTRA_CA_CERTS/;
const date = /has expired or is not valid yet, or the clock/;
const asksForClient = /may require a client certificate: .*clientCertificate in the target file/;
const old = /--tls-min-v1\.0/;

test.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', authority],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', authority],
  ['SELF_SIGNED_CERT_IN_CHAIN', authority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', authority],
  ['CERT_UNTRUSTED', authority],
  ['CERT_HAS_EXPIRED', date],
  ['CERT_NOT_YET_VALID', date],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', asksForClient],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', asksForClient],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', old],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', old],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', /^The TLS connection failed \(ERR_SSL/],
])('%s has a way out of its own', (code, says) => {
  const [kind, text] = failed(code);
  expect([kind, text]).toEqual(['tls', expect.stringMatching(says)]);
  expect(text).toContain(code);
  expect(text.includes('NODE_EXTRA_CA_CERTS')).toBe(says === authority);
});

test('a certificate for another host is reported with its host', async () => {
  const server = createTlsServer(selfSigned);
  const port = Number(new URL(await listen(server)).port);
  closing.push(() => server.close());
  const error = await new Promise((resolve) =>
    connect({ port, host: '127.0.0.1', servername: 'staging.example.com', ca: selfSigned.cert }).on('error', resolve),
  );
  const [kind, text] = diagnosis(error);
  expect(kind).toBe('tls');
  expect(text).toMatch(/for another host .*staging\.example\.com.* Use a host name that is in the certificate\.$/);
});

test('a name that does not resolve is named, because it may be that of a proxy', () => {
  expect(failed('ENOTFOUND', { hostname: 'proxy.invalid' })[1]).toBe(
    'The host name proxy.invalid does not resolve (ENOTFOUND).',
  );
  expect(failed('EAI_AGAIN', { hostname: 'proxy.invalid' })[1]).toBe(
    'The host name proxy.invalid could not be looked up (EAI_AGAIN): no name server answered. Check the network and its DNS settings.',
  );
});

/** What is said of a server that answers whatever it hears with these bytes. */
async function said(answer: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  const url = await listen(server);
  const transport = httpTransport({});
  closing.push(() => server.close(), transport.close);
  const mark = { scenario: 'test', step: 'test', credential: 'primary' } as const;
  return transport({ method: 'GET', url, headers: {}, timeoutMs: 5000, mark }).then(
    () => 'answered',
    ({ message }: Error) => message,
  );
}

test.each([
  ['of HTTP/2', Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])],
  ['of TLS', Buffer.from([0x15, 3, 1, 0, 2, 2, 70])],
])('an answer %s to a plain request is reported as not HTTP/1.1', async (_, bytes) => {
  expect(await said((socket) => socket.end(bytes))).toMatch(/^The answer is not HTTP\/1\.1, perhaps HTTP\/2 or TLS/);
});

test('a connection that closes without an answer is reported as that', async () => {
  expect(await said((socket) => socket.end())).toMatch(/closed before the answer was complete/);
});

test('a server that sends 100 Continue without being asked is named', async () => {
  expect(await said((socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'))).toMatch(
    /^The server sent 100 Continue, which no request asked for/,
  );
});
