import { readFileSync } from 'node:fs';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { SettingsError } from '../settings/file.js';
import type { ClientCertificate } from '../vocabulary.js';
import type { Proxies } from './diagnosis.js';
import { poolPastContinue } from './interim.js';
import { connectTimeoutMs } from './transport.js';
import { urlOf } from './url.js';

/** Gateways add headers of their own: tokens, policies, traces. */
const maxHeaderSize = 256 * 1024;

/** The ways to a target: connections that are kept, ones for a single request, and HTTP/2 for who speaks nothing else. */
export interface Connections {
  readonly kept: Dispatcher;
  /**
   * For what may not be sent twice: a connection that was idle may be closed at the other end just when it is used again,
   * and then nobody knows whether the request was heard.
   */
  readonly fresh: Dispatcher;
  readonly http2: Dispatcher;
  /** The same for a single request over HTTP/2, whose connections are shared: whoever asks for it closes it. */
  freshHttp2(): Dispatcher;
  readonly proxies: Proxies;
  /** Closes those that are kept and idle. What goes over others is heard to its end. */
  closeIdle(): void;
  close(): Promise<void>;
}

/**
 * Proxies come from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, further authorities from NODE_EXTRA_CA_CERTS. Throws a
 * SettingsError for a proxy that is none, and for a certificate that cannot be read.
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
          // To the service, through the tunnel.
          requestTls: { ...tls, ...(more.allowH2 && { allowH2: true }) },
          httpProxy: proxies.HTTP_PROXY ?? '',
          httpsProxy: proxies.HTTPS_PROXY ?? '',
          noProxy: unproxied(named(env, 'no_proxy') ?? ''),
        })
      : new Agent(options);
  };
  let kept = open({});
  const others = { fresh: open({ pipelining: 0 }), http2: open({ allowH2: true }) };
  return {
    ...others,
    get kept() {
      return kept;
    },
    closeIdle() {
      void kept.close();
      kept = open({});
    },
    proxies,
    freshHttp2: () => open({ allowH2: true }),
    close: async () => {
      await Promise.all([kept, ...Object.values(others)].map((dispatcher) => dispatcher.close()));
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

/** To a proxy the same address is another machine: what runs on this one is behind none. */
const unproxied = (listed: string): string => (listed === '*' ? listed : `localhost,127.0.0.1,[::1],${listed}`);

const named = (env: NodeJS.ProcessEnv, name: string) => env[name] ?? env[name.toUpperCase()];

/** Does not repeat what it refuses: a proxy may be named with its password. */
function proxyOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const url = named(env, name);
  if (!url || /^https?:$/.test(urlOf(url)?.protocol ?? '')) return url;
  const variable = name.toUpperCase();
  throw new SettingsError(variable, [`${variable} must be a URL such as http://proxy.example.com:3128.`]);
}
