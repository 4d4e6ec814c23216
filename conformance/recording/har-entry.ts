/** Reads an entry of a HAR 1.2, as browsers, proxies and load generators write them. */
import { once } from '../evidence/once.js';
import { type Fields, isFields } from '../evidence/read.js';
import type { Failure } from '../vocabulary.js';
import {
  fieldsOf,
  lasting,
  Malformed,
  type Message,
  noAnswer,
  numberOf,
  type Raw,
  type RawBody,
  timeOf,
} from './raw.js';

export const isHarEntry = (value: Fields): boolean => 'startedDateTime' in value;

/** Undefined where the answer is not the service's: it came from a cache, or says that the cache still holds. */
export function fromHar(entry: Fields): Raw | undefined {
  const request = fieldsOf(entry.request, 'request');
  const response = isFields(entry.response) ? entry.response : { status: 0 };
  const status = numberOf(response.status, 'response.status');
  if (entry._fromCache || status === 304) return undefined;
  const [begun, time] = [timeOf(entry.startedDateTime, 'startedDateTime'), lasting(entry.time)];
  const waited = Math.min(beforeSending(entry.timings), time);
  return {
    at: begun + waited,
    durationMs: time - waited,
    request: messageOf(request),
    // Browsers write 0 where there was no answer.
    ...(status <= 0
      ? { failure: failureOf(entry._error ?? response._error ?? response._failureText) }
      : {
          response: {
            status,
            ...responseOf(response),
            ...(typeof entry._repeatsKey === 'boolean' && { repeatsKey: entry._repeatsKey }),
          },
        }),
  };
}

/** A browser counts in how long a request stood in its own queue; a target answers for none of that. */
const beforeSending = (timings: unknown): number =>
  isFields(timings) ? lasting(timings.blocked) + lasting(timings.dns) + lasting(timings.connect) : 0;

const whole = (text: string): RawBody => ({ text, isWhole: true });
const left: RawBody = { text: '', isWhole: false };

const messageOf = once((request: Fields): Message => {
  const headers = headersOf(request.headers, 'request.headers');
  return { headers, body: requestBody(request, headers) };
});

function headersOf(list: unknown, name: string): Record<string, string> {
  if (list === undefined) return {};
  if (!Array.isArray(list)) throw new Malformed(`${name} is no list`);
  return headersIn(list, name);
}

const headersIn = once((list: readonly unknown[], name: string): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const item of list) {
    if (!isFields(item) || typeof item.name !== 'string') throw new Malformed(`${name} has an item without a name`);
    const key = item.name.toLowerCase();
    const value = String(item.value ?? '');
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
});

function requestBody({ postData, bodySize }: Fields, headers: Readonly<Record<string, string>>): RawBody {
  if (isFields(postData) && typeof postData.text === 'string') return whole(postData.text);
  const bytes = typeof bodySize === 'number' && bodySize >= 0 ? bodySize : Number(headers['content-length'] ?? 0);
  return bytes > 0 || (bodySize !== 0 && 'content-type' in headers) ? left : whole('');
}

function responseOf(response: Fields): { headers: Record<string, string>; body: RawBody } {
  const headers = headersOf(response.headers, 'response.headers');
  const content = isFields(response.content) ? response.content : {};
  const body = bodyOf(content);
  if (body !== left) return { headers, body };
  const empty = content.size === 0 || response.status === 204 || headers['content-length'] === '0';
  return { headers, body: empty ? whole('') : left };
}

const bodyOf = once(({ text, size, encoding }: Fields): RawBody => {
  if (typeof text !== 'string' || text === '') return left;
  const plain = encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text;
  return { text: plain, isWhole: typeof size !== 'number' || size <= Buffer.byteLength(plain) };
});

const kinds: readonly Failure['kind'][] = ['unreachable', 'tls', 'timeout', 'broken', 'too-large', 'stopped'];

/** What browsers and mitmproxy say of a request that never left: no connection came about, or they kept it themselves. */
const unsent = new RegExp(
  [
    'CONNECTION_(REFUSED|FAILED|TIMED_OUT)|ECONNREFUSED|ENOTFOUND|could not connect|connect call failed|connection refused',
    '(NAME|HOST)_(NOT_RESOLVED|RESOLUTION_FAILED)|UNKNOWN_(PROXY_)?HOST|name or service not known|nodename nor servname',
    'INTERNET_DISCONNECTED|ADDRESS_(UNREACHABLE|INVALID)|no route to host|network is unreachable',
    'BLOCKED_BY_(CLIENT|ADMINISTRATOR)|(PROXY|TUNNEL)_CONNECTION|ERR_(SSL|CERT)_|SSL_ERROR|certificate verify failed',
  ].join('|'),
  'i',
);

/** As this suite writes it, `timeout: …`, or in the words of whoever recorded it. */
function failureOf(error: unknown): Failure {
  if (typeof error !== 'string' || error === '') return noAnswer;
  const kind = kinds.find((known) => error.startsWith(`${known}: `));
  if (kind) return { kind, message: error.slice(kind.length + 2) };
  return { kind: unsent.test(error) ? 'unreachable' : 'broken', message: error };
}
