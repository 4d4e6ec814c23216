/** The connections to a target, and the proxies and certificates on the way. */
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { SettingsError } from '../settings/file.js';
import type { ClientCertificate } from '../vocabulary.js';
import { urlOf } from './address.js';
import type { Proxies } from './diagnosis.js';
import { connectTimeoutMs } from './transport.js';

/** Gateways add long headers: tokens, policies, traces. */
const maxHeaderSize = 256 * 1024;

/** Connections to a target: pooled, for a single request, and over HTTP/2 for servers that speak nothing else. */
export interface Connections {
  readonly pooled: Dispatcher;
  /**
   * For requests that must not be sent twice. The other end may close an idle connection just as it is used again; then
   * nobody knows whether the request arrived.
   */
  readonly unpooled: Dispatcher;
  readonly http2: Dispatcher;
  /** HTTP/2 connections are shared, so a single request needs a dispatcher of its own. The caller closes it. */
  freshHttp2(): Dispatcher;
  readonly proxies: Proxies;
  /** Closes idle pooled connections. Requests under way are not cut. */
  closeIdle(): void;
  close(): Promise<void>;
}

/**
 * Uses HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and the authorities in NODE_EXTRA_CA_CERTS. Throws a SettingsError for an
 * invalid proxy and for a certificate that cannot be read.
 */
export function openConnections(env: NodeJS.ProcessEnv, client?: ClientCertificate): Connections {
  const tls = client && {
    cert: pem(client.certificate),
    key: pem(client.key),
    ...(client.passphrase !== undefined && { passphrase: client.passphrase }),
  };
  const proxies = { HTTP_PROXY: proxyOf(env, 'http_proxy'), HTTPS_PROXY: proxyOf(env, 'https_proxy') };
  const open = (more: Agent.Options): Dispatcher => {
    const options = {
      connect: { timeout: connectTimeoutMs, ...tls },
      connections: 64,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize,
      factory: poolPastContinue,
      ...more,
    };
    return proxies.HTTP_PROXY || proxies.HTTPS_PROXY
      ? new EnvHttpProxyAgent({
          ...options,
          // For TLS to the service, inside the tunnel.
          requestTls: { ...tls, ...(more.allowH2 && { allowH2: true }) },
          httpProxy: proxies.HTTP_PROXY ?? '',
          httpsProxy: proxies.HTTPS_PROXY ?? '',
          noProxy: unproxied(named(env, 'no_proxy') ?? ''),
        })
      : new Agent(options);
  };
  let pooled = open({});
  const others = { unpooled: open({ pipelining: 0 }), http2: open({ allowH2: true }) };
  return {
    ...others,
    get pooled() {
      return pooled;
    },
    closeIdle() {
      void pooled.close();
      pooled = open({});
    },
    proxies,
    freshHttp2: () => open({ allowH2: true }),
    close: async () => {
      await Promise.all([pooled, ...Object.values(others)].map((dispatcher) => dispatcher.close()));
    },
  };
}

function pem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingsError(file, [`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`]);
  }
}

/** Local addresses mean another machine to a proxy, so they bypass it. */
const unproxied = (listed: string): string => (listed === '*' ? listed : `localhost,127.0.0.1,[::1],${listed}`);

const named = (env: NodeJS.ProcessEnv, name: string) => env[name] ?? env[name.toUpperCase()];

/** The error does not show the URL: it may contain a password. */
function proxyOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const url = named(env, name);
  if (!url || /^https?:$/.test(urlOf(url)?.protocol ?? '')) return url;
  const variable = name.toUpperCase();
  throw new SettingsError(variable, [`${variable} must be a URL such as http://proxy.example.com:3128.`]);
}

/** A pool for one origin that tolerates an unexpected 100 Continue. `options.connect` opens a connection. */
function poolPastContinue(origin: URL | string, options: object): Dispatcher {
  const { connect, allowH2 = false } = options as Pool.Options;
  const open = typeof connect === 'function' ? connect : buildConnector({ allowH2, ...connect });
  return new Pool(origin, {
    ...options,
    connect: (where, opened) =>
      open(where, (...[error, socket]) => {
        if (error) return opened(error, null);
        readPastContinue(socket);
        opened(null, socket);
      }),
  });
}

/**
 * Rewrites an unrequested 100 Continue to 102 Processing. A client has to skip both, but undici breaks the connection
 * for the former. Nothing is sent before an answer is complete, so an answer begins where a chunk begins.
 */
function readPastContinue(socket: Duplex): void {
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    const piece: unknown = read(size);
    return Buffer.isBuffer(piece) ? withoutContinue(piece) : piece;
  };
}

const statusAt = 'HTTP/1.1 '.length;
const endOfHead = '\r\n\r\n';

function withoutContinue(piece: Buffer): Buffer {
  for (let from = 0; ; ) {
    const line = piece.toString('latin1', from, from + statusAt + 3);
    if (!/^HTTP\/1\.[01] 1\d\d$/.test(line)) return piece;
    if (line.endsWith('100')) piece.write('102', from + statusAt, 'latin1');
    const end = piece.indexOf(endOfHead, from);
    if (end < 0) return piece;
    from = end + endOfHead.length;
  }
}
