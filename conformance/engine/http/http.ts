import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatcher, request as send } from 'undici';
import { longestTimerMs } from '../send/clock.js';
import type { ClientCertificate } from '../vocabulary.js';
import { unpacked } from './body.js';
import { openConnections } from './connections.js';
import { diagnosis, rootCause } from './diagnosis.js';
import { bodyLimitBytes, type Transport, TransportError, type WireRequest, type WireResponse } from './transport.js';

/**
 * A transport over HTTP, through what `openConnections` opens. Redirects are not followed: another origin would be handed
 * the key. Throws a SettingsError for what cannot be used of a proxy or a certificate.
 */
export function httpTransport(
  env: NodeJS.ProcessEnv = process.env,
  client?: ClientCertificate,
): Transport & { close(): Promise<void> } {
  const connections = openConnections(env, client);
  let speaksHttp2 = false;
  /** A connection of its own was refused or cut: there may be room for few, and those that are kept are in its way. */
  let isCrowded = false;
  const ask = async (request: WireRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    const { method, url, headers, body, fresh = false } = request;
    if (fresh && isCrowded) {
      connections.closeIdle();
      await delay(closingMs);
    }
    const own = speaksHttp2 && fresh ? connections.freshHttp2() : undefined;
    try {
      return await send(url, {
        method: method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': 'identity', ...headers },
        ...(body !== undefined && { body }),
        dispatcher: own ?? (speaksHttp2 ? connections.http2 : fresh ? connections.fresh : connections.kept),
        signal,
      });
    } catch (error) {
      // Refused before anything was sent: so it may be sent.
      if (speaksHttp2 || rootCause(error).code !== noCommonProtocol) throw error;
      speaksHttp2 = true;
      return ask(request, signal);
    } finally {
      // When the answer was read.
      void own?.close();
    }
  };
  const transport: Transport = async (request) => {
    const { timeoutMs, signal } = request;
    const deadline = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), longestTimerMs));
    // What waits may stand in line behind connections that are kept, where only so many are served at a time.
    const waits = setTimeout(() => connections.closeIdle(), inLineMs);
    try {
      const answer = await ask(request, signal ? AbortSignal.any([deadline, signal]) : deadline);
      const names = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')] as const);
      const plain = Object.fromEntries(names);
      return { status: answer.statusCode, headers: plain, bytes: decode(plain, await read(answer.body)) };
    } catch (error) {
      if (error instanceof TransportError) throw error;
      if (signal?.aborted) throw new TransportError('stopped', 'The run was stopped.');
      if (request.fresh) isCrowded = true;
      if (deadline.aborted) throw new TransportError('timeout', `No complete answer within ${timeoutMs / 1000} s.`);
      throw new TransportError(...diagnosis(error, connections.proxies));
    } finally {
      clearTimeout(waits);
    }
  };
  return Object.assign(transport, { close: () => connections.close() });
}

/** After which a request may be standing in line. */
const inLineMs = 1000;

/** In which what stands between sees that a connection was closed. */
const closingMs = 50;

/** The server takes none of the protocols that were offered. */
const noCommonProtocol = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';

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

/** Some gateways encode what they were asked not to. */
function decode(headers: WireResponse['headers'], bytes: Uint8Array): Uint8Array {
  const decoded = unpacked(bytes, headers['content-encoding'], bodyLimitBytes);
  if (decoded instanceof Uint8Array) return decoded;
  const { coding, why } = decoded;
  if (why === 'too-large') throw tooLarge();
  throw new TransportError(
    'broken',
    why === 'unknown'
      ? `The body is encoded as ${coding}, although the request accepted no encoding: switch that off where it is encoded.`
      : `The body is not valid ${coding}, although its header says so.`,
  );
}

const tooLarge = () =>
  new TransportError(
    'too-large',
    `The body is larger than ${bodyLimitBytes / 1024 / 1024} MB; it was not read to the end.`,
  );
