import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { longestTimerMs } from '../send/clock.js';
import type { ClientCertificate } from '../send/request-spec.js';
import { decodeBody } from './body.js';
import { diagnosis, openConnections, rootCause } from './connections.js';
import { bodyLimitBytes, type Transport, TransportError, type WireRequest, type WireResponse } from './transport.js';

/**
 * The transport over HTTP. Redirects are not followed, because the key would be sent to another origin. Throws a
 * SettingsError for an unusable proxy or certificate.
 */
export function httpTransport(
  env: NodeJS.ProcessEnv = process.env,
  client?: ClientCertificate,
): Transport & { close(): Promise<void> } {
  let connections = openConnections(env, client);
  let speaksHttp2 = false;
  /** A new connection was refused or cut: the server may be full, and count our idle connections too. */
  let isCrowded = false;
  const ask = async (request: WireRequest, signal: AbortSignal, left = 3): Promise<Dispatcher.ResponseData> => {
    const { method, url, headers, body, newConnection = false } = request;
    if (newConnection && isCrowded) {
      connections.closeIdle();
      await delay(closingMs);
    }
    const used = connections;
    const own = speaksHttp2 ? connections.freshHttp2() : undefined;
    try {
      const { origin, pathname, search } = new URL(url);
      const dispatcher = own ?? (newConnection ? connections.unpooled : connections.pooled);
      return await dispatcher.request({
        origin,
        path: `${pathname}${search}`,
        method: method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': 'identity', ...headers },
        ...(body !== undefined && { body }),
        signal,
      });
    } catch (error) {
      // What was refused before it was processed may be sent again.
      const { code = '', message = '' } = rootCause(error);
      const isRefused = own ? refusedStream.test(code + message) : code === noCommonProtocol;
      const mayForward = used.untunnelled.has(error as object);
      if (left === 0 || !(isRefused || mayForward)) throw error;
      speaksHttp2 ||= isRefused;
      // Many proxies open tunnels to port 443 alone.
      if (mayForward && used === connections) {
        connections = openConnections(env, client, false);
        void used.close();
      }
      return ask(request, signal, left - 1);
    } finally {
      // Closes once the answer has been read.
      void own?.close();
    }
  };
  const transport: Transport = async (request) => {
    const { timeoutMs, signal } = request;
    const deadline = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), longestTimerMs));
    // The request may be queued behind our own idle connections, if the server serves few at a time.
    const waits = setTimeout(() => connections.closeIdle(), inLineMs);
    try {
      const answer = await ask(request, signal ? AbortSignal.any([deadline, signal]) : deadline);
      const names = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')] as const);
      const plain = Object.fromEntries(names);
      return { status: answer.statusCode, headers: plain, bytes: decode(plain, await read(answer.body)) };
    } catch (error) {
      if (error instanceof TransportError) throw error;
      if (signal?.aborted) throw new TransportError('stopped', 'The run was stopped.');
      if (request.newConnection) isCrowded = true;
      if (deadline.aborted) throw new TransportError('timeout', `No complete answer within ${timeoutMs / 1000} s.`);
      throw new TransportError(...diagnosis(error, connections.proxies));
    } finally {
      clearTimeout(waits);
    }
  };
  return Object.assign(transport, { close: () => connections.close() });
}

/** When a request is taken to be queued. */
const inLineMs = 1000;

/** How long a server or gateway takes to notice that a connection was closed. */
const closingMs = 50;

const noCommonProtocol = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
/** RFC 9113, 8.7. */
const refusedStream = /REFUSED_STREAM|^ERR_HTTP2_GOAWAY_SESSION/;

async function read(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > bodyLimitBytes) {
      body.destroy();
      throw tooLarge();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Some gateways encode bodies although they were asked not to. */
function decode(headers: WireResponse['headers'], bytes: Uint8Array): Uint8Array {
  const decoded = decodeBody(bytes, headers['content-encoding'], bodyLimitBytes);
  if (decoded instanceof Uint8Array) return decoded;
  const { coding, why } = decoded;
  if (why === 'too-large') throw tooLarge();
  throw new TransportError(
    'broken',
    why === 'unknown'
      ? `The body is encoded as ${coding}, although the request accepted none: switch the encoding off in the service or gateway.`
      : `The body is not valid ${coding}, although its header says so.`,
  );
}

const tooLarge = () =>
  new TransportError(
    'too-large',
    `The body is larger than ${bodyLimitBytes / 1024 / 1024} MB; it was not read to the end.`,
  );
