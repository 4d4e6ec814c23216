import { isIP } from 'node:net';
import type { Failure } from '../vocabulary.js';
import { connectTimeoutMs } from './transport.js';

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
  const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  if (status !== undefined) return ['unreachable', noTunnel(status)];
  if (/no.application.protocol/i.test(`${code} ${message}`))
    return ['tls', 'The server there does not speak HTTP/1.1, perhaps only HTTP/2.'];
  const tls = handshakes.find(([codes]) => codes.test(code));
  if (tls) return ['tls', tls[1](code, message)];
  if (/^(HPE_|HTTPParserError)/.test(code) || /HTTP\/1\.1 protocol/.test(message))
    return ['broken', `The answer is not HTTP/1.1, perhaps HTTP/2 or TLS (${message || code}).`];
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
