/** Headers as they were sent: names in their letters, in their order, each as often as it was there. */
import type { IncomingMessage } from 'node:http';

/** Names and values, as Node has them one after the other. */
export const pairsOf = (all: readonly string[]): [string, string][] =>
  all.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, all[index + 1] ?? '']] : []));

/** `GET http://host/path HTTP/1.1` is allowed, and means the path. */
export const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');

const ofChunks = /^(?:transfer-encoding|trailer)$/i;

/** HTTP/1.0 knows no chunks: there a body is over when the connection is. */
export const framedFor = ({ httpVersion }: IncomingMessage, headers: string[]): string[] =>
  httpVersion === '1.0' ? pairsOf(headers).flatMap((pair) => (ofChunks.test(pair[0]) ? [] : pair)) : headers;

/** Methods whose requests have no body unless they say so. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** The headers of a request as they go to the service. */
export function forwarded({ rawHeaders, method, headers }: IncomingMessage, host: string): string[] {
  const all: string[] = [];
  let hasHost = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const lower = name.toLowerCase();
    // No other protocol goes through here.
    if (lower === 'upgrade' || lower === 'http2-settings') continue;
    hasHost ||= lower === 'host';
    all.push(name, lower === 'host' ? host : value);
  }
  if (!hasHost) all.unshift('Host', host);
  const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
  // Else Node would say that chunks follow.
  if (!hasLength && !bodiless.has(method ?? '')) all.push('Content-Length', '0');
  return all;
}
