/** The connections to a target, and the proxies and certificates on the way. */

import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { ClientCertificate } from '../send/request-spec.js';
import { SettingsError } from '../settings/file.js';
import type { Failure } from '../vocabulary.js';
import { urlOf } from './address.js';
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
  /** For one request over HTTP/2, which the caller closes: then it is known what a server that ends a connection refused. */
  freshHttp2(): Dispatcher;
  /** The errors of requests that a proxy may take without a tunnel, because none was opened. */
  readonly untunnelled: WeakSet<object>;
  readonly proxies: Proxies;
  /** Closes idle pooled connections. Requests under way are not cut. */
  closeIdle(): void;
  close(): Promise<void>;
}

/**
 * Uses HTTP_PROXY, HTTPS_PROXY and NO_PROXY, and the authorities in NODE_EXTRA_CA_CERTS. Throws a SettingsError for an
 * invalid proxy and for a certificate that cannot be read. `proxyTunnel`: whether http goes through a tunnel too.
 */
export function openConnections(env: NodeJS.ProcessEnv, client?: ClientCertificate, proxyTunnel = true): Connections {
  const tls = client && {
    cert: pem(client.certificate),
    key: pem(client.key),
    ...(client.passphrase !== undefined && { passphrase: client.passphrase }),
  };
  const proxies = { HTTP_PROXY: proxyOf(env, 'http_proxy'), HTTPS_PROXY: proxyOf(env, 'https_proxy') };
  const untunnelled = new WeakSet<object>();
  const open = (more: Agent.Options): Dispatcher => {
    const options = {
      connect: { timeout: connectTimeoutMs, ...tls },
      connections: 64,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize,
      ...more,
    };
    // For http through a proxy, undici passes on nothing but `connect`.
    const factory = (origin: URL | string, given: object) =>
      poolOf(origin, { ...options, ...given }, (error) => {
        if (proxyTunnel && proxies.HTTP_PROXY && `${origin}`.startsWith('http:')) untunnelled.add(error);
      });
    return proxies.HTTP_PROXY || proxies.HTTPS_PROXY
      ? new EnvHttpProxyAgent({
          ...options,
          factory,
          proxyTunnel,
          // For TLS to the service, inside the tunnel.
          requestTls: { ...tls, ...(more.allowH2 && { allowH2: true }) },
          httpProxy: proxies.HTTP_PROXY ?? '',
          httpsProxy: proxies.HTTPS_PROXY ?? '',
          noProxy: unproxied(named(env, 'no_proxy') ?? ''),
        })
      : new Agent({ ...options, factory });
  };
  let pooled = open({});
  const unpooled = open({ pipelining: 0 });
  return {
    unpooled,
    untunnelled,
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
      await Promise.all([pooled.close(), unpooled.close()]);
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

/** A pool for one origin, which notes what it could not open. `options.connect` opens a connection. */
function poolOf(origin: URL | string, options: object, failed: (error: Error) => void): Dispatcher {
  const { connect, allowH2 = false } = options as Pool.Options;
  const open = typeof connect === 'function' ? connect : buildConnector({ allowH2, ...connect });
  return new Pool(origin, {
    ...options,
    connect: (where, opened) =>
      open(where, (...[error, socket]) => {
        if (error) {
          failed(error);
          return opened(error, null);
        }
        opened(null, socket);
        answerAfterGoaway(socket);
      }),
  });
}

/**
 * A server that ends a connection (GOAWAY) still answers what it has received. Node waits for that; undici, which listens
 * too, gives up. The session is a property of its socket.
 */
function answerAfterGoaway(socket: object): void {
  for (const name of Object.getOwnPropertySymbols(socket)) {
    const session: unknown = Reflect.get(socket, name);
    if (session instanceof EventEmitter && 'goaway' in session) session.removeAllListeners('goaway');
  }
}

/** Says why a connection failed, and what to check. `proxies`: their URLs by the variables that name them. */
export function diagnosis(error: unknown, proxies: Proxies = {}): [Failure['kind'], string] {
  const cause = rootCause(error);
  const { code = '', message = '', address, port, hostname } = cause;
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code)) {
    const where = address ? `at ${address} port ${port}` : 'there';
    return ['unreachable', `Nothing listens ${where} (${code}).${proxyThere(cause, proxies)}`];
  }
  const name = hostname ? `${hostname} ` : '';
  if (code === 'ENOTFOUND')
    return ['unreachable', `The host name ${name}does not resolve (${code}).${proxyThere(cause, proxies)}`];
  if (code === 'EAI_AGAIN')
    return [
      'unreachable',
      `The host name ${name}could not be looked up (${code}): no name server answered. Check the network and its DNS settings.${proxyThere(cause, proxies)}`,
    ];
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return ['unreachable', `No connection within ${connectTimeoutMs / 1000} s.`];
  if (code === 'ETIMEDOUT') return ['unreachable', `No connection in time (${code}).`];
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message) ?? [];
  if (status !== undefined) return ['unreachable', noTunnel(status)];
  if (/no.application.protocol/i.test(`${code} ${message}`))
    return ['tls', 'The server there does not speak HTTP/1.1, perhaps only HTTP/2.'];
  const tls = handshakes.find(([codes]) => codes.test(code));
  if (tls) return ['tls', tls[1](code, message)];
  if (/^(HPE_|HTTPParserError)/.test(code) || /HTTP\/1\.1 protocol/.test(message))
    return ['broken', `The answer is not HTTP/1.1, perhaps HTTP/2 or TLS (${message || code}).`];
  if (message === 'bad response')
    return [
      'broken',
      'The server sent 100 Continue, which no request asked for: switch it off in the service or gateway.',
    ];
  if (code === 'UND_ERR_SOCKET')
    return ['broken', `The connection broke: it was closed before the answer was complete (${message || code}).`];
  return ['broken', `The connection broke (${code || message || 'no reason given'}).`];
}

/** The URL of each proxy, by the variable that names it. */
export type Proxies = { readonly [variable in string]?: string };

/** Adds that the address is that of a proxy, if it is. */
function proxyThere({ address, port, hostname }: Cause, proxies: Proxies): string {
  for (const [variable, proxy] of Object.entries(proxies)) {
    if (!proxy) continue;
    const url = new URL(proxy);
    // If the proxy's name resolved, only the port can be compared, and usual ports prove nothing.
    const same = isIP(url.hostname) ? address === url.hostname : url.port !== '';
    if (hostname !== url.hostname && !(same && port === Number(url.port || 80))) continue;
    return ` This is the proxy of ${variable}; hosts listed in NO_PROXY bypass it.`;
  }
  return '';
}

const noTunnel = (status: string): string =>
  `The proxy of HTTP_PROXY or HTTPS_PROXY did not connect to the service: it answered ${status}${status === '407' ? '. It requires a user name and a password: http://user:password@proxy.example.com:3128' : '. Hosts listed in NO_PROXY bypass it'}.`;

/** Why a TLS handshake failed, and the remedy. The first match counts. */
const handshakes: readonly (readonly [RegExp, (code: string, message: string) => string])[] = [
  // The server does not speak TLS: most often it speaks plain HTTP.
  [
    /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))$/,
    (code) => `The server there does not speak TLS (${code}); for plain HTTP write http://.`,
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    (code, message) =>
      `The certificate is for another host (${code}): ${message.replace(/\.*$/, '')}. Use a host name that is in the certificate.`,
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    (code) =>
      `A certificate of the service has expired or is not valid yet, or the clock of this machine is wrong (${code}).`,
  ],
  [
    /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA)/,
    (code) =>
      `The certificate was not issued by a known authority (${code}). If it is a private one, set NODE_EXTRA_CA_CERTS to a PEM file of it.`,
  ],
  [
    /^ERR_SSL_.*(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|KEY_TOO_SMALL)/,
    (code) =>
      `The service offers only TLS versions that Node refuses by default (${code}); NODE_OPTIONS=--tls-min-v1.0 allows older ones.`,
  ],
  [
    /^ERR_SSL_.*(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|ALERT_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/,
    (code) =>
      `The service aborted the TLS handshake (${code}). It may require a client certificate: \`check\` sends the one that clientCertificate in the target file names.`,
  ],
  [/^ERR_(TLS|SSL)/, (code) => `The TLS connection failed (${code}).`],
];

export interface Cause {
  readonly code?: string;
  readonly message?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

export function rootCause(error: unknown): Cause {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const deeper = cause ?? errors?.[0];
  return deeper ? rootCause(deeper) : (error as Cause);
}
