import { type OperationId, operations } from '../../generated/operations.js';
import { type Address, addressOf } from '../evidence/address.js';
import { jsonBody, parseBody } from '../evidence/body.js';
import { Redactor, redacted } from '../evidence/redact.js';
import type { Body, Exchange, Response } from '../vocabulary.js';
import { fromExchange } from './exchange-line.js';
import { fromHar, isHarEntry } from './har-entry.js';
import { fieldsOf, type Raw, type RawBody, textOf } from './raw.js';

/** What one item of a recording is. */
export type Entry =
  | ({ readonly kind: 'exchange' } & Recorded)
  /** A request of another API. */
  | { readonly kind: 'foreign' }
  /** A request of this one, and the recording does not hold what was sent or answered. */
  | { readonly kind: 'unrecorded' };

export interface Recorded {
  readonly exchange: Exchange & { readonly operation: OperationId; readonly resource: string };
  readonly baseUrl: string;
  /** The body of the answer as it was written: by this two answers are told to be equal. */
  readonly answer: string;
  /** The body that was sent, as it was written. */
  readonly question: string;
  /** Whether a key that the answer repeats would have been found. */
  readonly showsKey: boolean;
}

const keyHeaders = [...new Set(Object.values(operations).map(({ keyHeader }) => keyHeader.toLowerCase()))];
/** Headers whose values are shown: whatever is not known to be harmless may let somebody in. */
const shownHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'age', 'allow', 'cache-control', 'connection'],
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'content-type', 'date', 'etag'],
  ...['expires', 'host', 'keep-alive', 'last-modified', 'origin', 'pragma', 'retry-after', 'server', 'traceparent'],
  ...['transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate', 'x-correlation-id', 'x-powered-by'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'],
]);

/** The interface shows no query parameters: what a query holds is not this service's, and may let somebody in. */
const withoutQueryValues = (url: string): string =>
  url.replace(/\?[^#]*/, (query) => query.replaceAll(/=[^&]*/g, `=${redacted}`)).replace(/#.*$/s, '');
/** What recorders write in the place of a key. */
const mask = /^\W*(?:redacted|masked|hidden|removed|api[_-]?key)\W*$|^(.)\1*$/i;
const rememberedKeys = 100;

/** Turns items into exchanges. No key leaves it. */
export class EntryReader {
  readonly #accepts: (baseUrl: string) => boolean;
  readonly #redactors = new Map<string, Redactor>();

  /** `accepts` tells whether a base URL is the target's. */
  constructor(accepts: (baseUrl: string) => boolean = () => true) {
    this.#accepts = accepts;
  }

  /** `id` is the number that the exchange is given. Throws `Malformed`. */
  read(value: unknown, id: number): Entry {
    const fields = fieldsOf(value, 'it');
    const request = fieldsOf(fields.request, 'request');
    const method = textOf(request.method, 'request.method');
    // Whoever is named before the host is let in by that.
    const url = textOf(request.url, 'request.url').replace(/^(https?:\/\/)[^/?#]*@/, '$1');
    const address = addressOf(method, url);
    if (!address || !this.#accepts(address.baseUrl)) return { kind: 'foreign' };
    const raw = isHarEntry(fields) ? fromHar(fields) : fromExchange(fields);
    return (raw && this.#exchange({ method, url }, address, raw, id)) ?? { kind: 'unrecorded' };
  }

  #exchange(line: { method: string; url: string }, address: Address, raw: Raw, id: number): Entry | undefined {
    const { operation, resource, baseUrl } = address;
    const { headers, body } = raw.request;
    if (operations[operation].requestBody !== 'none' && !body.isWhole) return undefined;
    const keys = keyHeaders.flatMap((name) => headers[name]?.split(', ') ?? []).filter((key) => !mask.test(key));
    const redactor = this.#redactor(keys);
    const answer = redactor.text(raw.response?.body.text ?? '');
    const response = raw.response && answered(raw.response, answer, redactor);
    if (raw.response && !response) return undefined;
    const question = redactor.text(body.text);
    const exchange = {
      id,
      operation,
      resource: redactor.text(resource),
      at: raw.at,
      durationMs: raw.durationMs,
      request: {
        method: line.method,
        url: withoutQueryValues(redactor.text(line.url)),
        headers: cleaned(headers, redactor).headers,
        body: bodyOf(body, question),
      },
      ...(response && { response }),
      ...(raw.failure && { failure: { ...raw.failure, message: redactor.text(raw.failure.message) } }),
    };
    const showsKey = keys.length > 0 || raw.response?.repeatsKey !== undefined;
    return { kind: 'exchange', exchange, baseUrl, answer, question, showsKey };
  }

  #redactor(keys: readonly string[]): Redactor {
    const name = keys.join('\n');
    const known = this.#redactors.get(name);
    if (known) return known;
    if (this.#redactors.size === rememberedKeys) this.#redactors.clear();
    const made = new Redactor(keys);
    this.#redactors.set(name, made);
    return made;
  }
}

/** Undefined where the body was not recorded to its end. */
function answered(raw: NonNullable<Raw['response']>, answer: string, redactor: Redactor): Response | undefined {
  const body = bodyOf(raw.body, answer);
  if (body.kind !== 'json' && !raw.body.isWhole) return undefined;
  const { headers, hadKey } = cleaned(raw.headers, redactor);
  const repeatsKey = raw.repeatsKey || hadKey || answer !== raw.body.text;
  return { status: raw.status, headers, body, repeatsKey };
}

/** `clean` is the text without keys. */
const bodyOf = ({ text, value }: RawBody, clean: string): Body =>
  value !== undefined && clean === text ? jsonBody(value, Buffer.byteLength(text)) : parseBody(clean);

/** `hadKey` tells whether there was one where none belongs. */
function cleaned(raw: Readonly<Record<string, string>>, redactor: Redactor) {
  const headers: Record<string, string> = {};
  let hadKey = false;
  for (const name in raw) {
    const value = raw[name] ?? '';
    const line = `${name} ${value}`;
    const isClean = redactor.text(line) === line;
    hadKey ||= !isClean;
    headers[isClean ? name : redactor.text(name)] = shownHeaders.has(name) ? redactor.text(value) : redacted;
  }
  return { headers, hadKey };
}
