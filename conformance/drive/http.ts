import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request as send } from 'undici';
import { SettingsError } from '../settings/file.js';
import type { Failure } from '../vocabulary.js';
import { bodyLimitBytes, type Transport, TransportError, type WireResponse } from './transport.js';

const connectTimeoutMs = 10_000;

/**
 * A transport over HTTP. Proxies come from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, further authorities from
 * NODE_EXTRA_CA_CERTS. Redirects are not followed: another origin would be handed the key. Throws a SettingsError for a
 * proxy that is none.
 */
export function httpTransport(env: NodeJS.ProcessEnv = process.env): Transport & { close(): Promise<void> } {
  const options = { connect: { timeout: connectTimeoutMs }, connections: 64, headersTimeout: 0, bodyTimeout: 0 };
  const [httpProxy, httpsProxy] = [proxyOf(env, 'http_proxy'), proxyOf(env, 'https_proxy')];
  const dispatcher =
    httpProxy || httpsProxy
      ? new EnvHttpProxyAgent({
          ...options,
          httpProxy: httpProxy ?? '',
          httpsProxy: httpsProxy ?? '',
          noProxy: named(env, 'no_proxy') ?? '',
        })
      : new Agent(options);
  const transport: Transport = async ({ method, url, headers, body, timeoutMs, signal }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await send(url, {
        method: method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': 'identity', ...headers },
        ...(body !== undefined && { body }),
        dispatcher,
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      });
      const names = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')] as const);
      const plain = Object.fromEntries(names);
      return { status: answer.statusCode, headers: plain, bytes: await decode(plain, await read(answer.body)) };
    } catch (error) {
      if (error instanceof TransportError) throw error;
      if (signal?.aborted) throw new TransportError('stopped', 'The run was stopped.');
      if (deadline.aborted) throw new TransportError('timeout', `No complete answer within ${timeoutMs / 1000} s.`);
      throw new TransportError(...diagnosis(error));
    }
  };
  return Object.assign(transport, { close: () => dispatcher.close() });
}

const named = (env: NodeJS.ProcessEnv, name: string) => env[name] ?? env[name.toUpperCase()];

/** Does not repeat what it refuses: a proxy may be named with its password. */
function proxyOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const url = named(env, name);
  if (!url || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return url;
  const variable = name.toUpperCase();
  throw new SettingsError(variable, [`${variable} must be a URL such as http://proxy.example.com:3128.`]);
}

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

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

async function decode(headers: WireResponse['headers'], bytes: Uint8Array): Promise<Uint8Array> {
  const coding = headers['content-encoding']?.toLowerCase().trim();
  const decoder = decoders[coding as keyof typeof decoders];
  if (!decoder || bytes.length === 0) return bytes;
  try {
    return await decoder(bytes, { maxOutputLength: bodyLimitBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new TransportError('broken', `The body is not the ${coding} that its header says.`);
  }
}

const tooLarge = () =>
  new TransportError(
    'too-large',
    `The body is larger than ${bodyLimitBytes / 1024 / 1024} MB; it was not read to its end.`,
  );

/** What went wrong on the way, in words that say what to look at. */
function diagnosis(error: unknown): [Failure['kind'], string] {
  const { code = '', message = '', address, port } = rootCause(error);
  // The address tells a proxy from the target.
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code))
    return ['unreachable', `Nothing listens ${address ? `at ${address} port ${port}` : 'there'} (${code}).`];
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return ['unreachable', `The host name does not resolve (${code}).`];
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return ['unreachable', `No connection within ${connectTimeoutMs / 1000} s.`];
  if (/^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH)/.test(code))
    return ['tls', `The TLS connection failed (${code}). A private authority is named by NODE_EXTRA_CA_CERTS.`];
  return ['broken', `The connection broke (${code || message || 'no reason given'}).`];
}

interface Cause {
  readonly code?: string;
  readonly message?: string;
  readonly address?: string;
  readonly port?: number;
}

function rootCause(error: unknown): Cause {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const deeper = cause ?? errors?.[0];
  return deeper ? rootCause(deeper) : (error as Cause);
}
