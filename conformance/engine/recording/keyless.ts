import { type Contract, contract } from '../contract.js';
import { mapTexts, Redactor, redacted, shortestSearched } from '../http/redact.js';
import { memoize } from '../memoize.js';
import { inUrl, isUuid } from '../rule/values.js';

/** What of a recorded exchange may be kept: neither keys nor what else lets somebody in. */

/** Headers whose values are shown: whatever is not known to be harmless may let somebody in. */
const shownHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'age', 'allow', 'cache-control', 'connection'],
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'content-type', 'date', 'etag'],
  ...['expires', 'host', 'keep-alive', 'last-modified', 'origin', 'pragma', 'retry-after', 'server', 'traceparent'],
  ...['transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate', 'x-correlation-id', 'x-powered-by'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'],
]);

/** The parameters of the contract. What else a query or a header holds is not this service's, and may let somebody in. */
const declared = memoize(({ operations, operationIds }: Contract) => {
  const all = operationIds.map((id) => operations[id]);
  return {
    query: new Set(all.flatMap(({ queryParameters }) => queryParameters.map(({ name }) => name))),
    headers: new Set(all.flatMap(({ headerParameters }) => headerParameters.map(({ name }) => name.toLowerCase()))),
  };
});

/** Whether the value of a query parameter is shown. */
const isShownInQuery = (name: string): boolean => declared(contract()).query.has(name);

/** An address without the values of its query that are not shown. */
export const withoutQueryValues = (url: string, isShown = isShownInQuery): string =>
  url
    .replace(/\?[^#]*/, (query) =>
      query.replaceAll(/(?<=[?&])([^&=]*)(=?)[^&]*/g, (part, name: string, equals: string) =>
        isShown(name) ? part : equals ? `${name}=${redacted}` : name && redacted,
      ),
    )
    .replace(/#.*$/s, '');
/** Whoever is named before the host is let in by that. */
export const withoutUser = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/, '$1');
/** What recorders write in the place of a key. */
const mask = /^\W*(?:redacted|masked|hidden|removed|api[_-]?key)\W*$|^(.)\1*$/i;

/** The keys that a request was sent with. */
export const keysIn = (headers: Readonly<Record<string, string>>): string[] =>
  contract()
    .keyHeaders.flatMap((name) => headers[name]?.split(', ') ?? [])
    .filter((key) => key !== '' && !mask.test(key));

/** Whether the value of a header is shown. */
export const isShown = (name: string): boolean => shownHeaders.has(name) || declared(contract()).headers.has(name);

/** `hadKey` tells whether there was one where none belongs. */
export function cleaned(raw: Readonly<Record<string, string>>, redactor: Redactor) {
  const headers: Record<string, string> = {};
  let hadKey = false;
  for (const [name, value] of Object.entries(raw)) {
    const line = `${name} ${value}`;
    hadKey ||= redactor.text(line) !== line;
    headers[redactor.text(name)] = isShown(name) ? redactor.text(value) : value && redacted;
  }
  return { headers, hadKey };
}

/** What lets somebody in is often said by its name. */
const secretName = /auth|cookie|credential|jwt|key|passw|secret|session|sig|token|^sid$/i;
/** What looks like it under any other name: letters and digits without a blank, and no id, host or small setting. */
const isLikely = (part: string): boolean =>
  /^(?=\D*\d)(?=[^a-z]*[a-z])[\w.~+/=-]{16,}$/i.test(part) && !isUuid(part) && !/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(part);
/** What recorders write in its place, and callers that have none: it lets nobody in. */
const isMasked = (part: string): boolean => part.includes('redacted') || part === 'undefined' || /^(.)\1*$/.test(part);

/** Of either kind: a recording may have another value for each request. */
const most = 2000;
const mostSeen = 10_000;
/** So many are looked for in base64, hex and whatever else may write them: keys, and what goes with the first requests. */
const mostThorough = 100;

/**
 * Values of headers and queries that reports do not show, so that they are shown nowhere else either: what an answer repeats
 * of a caller's token lets as much in as the token. Traffic is judged as it came.
 */
export class TakenOut {
  readonly #secrets = new Set<string>();
  #likely = 0;
  readonly #seen = new Set<string>();
  /** By their first letters, the longest first. */
  #byStart: Map<string, string[]> | undefined;
  #thorough: Redactor | undefined;

  /** Takes note of the value of a header, or of a query, that is not shown. */
  note(name: string, value: string): void {
    if (value.length < shortestSearched || this.#seen.has(value)) return;
    if (this.#seen.size === mostSeen) this.#seen.clear();
    this.#seen.add(value);
    const isSecret = secretName.test(name);
    for (const part of partsOf(name, value)) {
      if (part.length < shortestSearched || isMasked(part) || this.#secrets.has(part)) continue;
      if (!isSecret && (!isLikely(part) || this.#likely >= most)) continue;
      if (!isSecret) this.#likely += 1;
      this.add([part]);
    }
  }

  /** Takes note of what the query of an address says. */
  noteQuery(url: string): void {
    const from = url.indexOf('?');
    if (from < 0) return;
    // What has no value may be one itself.
    for (const [name, value] of new URLSearchParams(url.slice(from)))
      if (value === '') this.note('', name);
      else if (!isShownInQuery(name)) this.note(name, value);
  }

  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (this.#secrets.size >= 2 * most) return;
      this.#secrets.add(secret);
      this.#byStart = undefined;
      if (this.#secrets.size <= mostThorough) this.#thorough = undefined;
    }
  }

  get all(): readonly string[] {
    return [...this.#secrets];
  }

  /** Every text in a value without them, also as it may be written where it is a value of something else. */
  mask<T>(value: T): T {
    if (this.#secrets.size === 0) return value;
    this.#thorough ??= new Redactor(this.all.slice(0, mostThorough));
    return this.#thorough.value(mapTexts(value, (text) => this.text(text)) as T);
  }

  text(text: string): string {
    const starts = this.#starts();
    let [clean, from] = ['', 0];
    if (starts.size === 0) return text;
    for (let at = 0; at + shortestSearched <= text.length; at += 1) {
      const found = starts.get(text.slice(at, at + shortestSearched))?.find((secret) => text.startsWith(secret, at));
      if (found === undefined) continue;
      clean += text.slice(from, at) + redacted;
      from = at + found.length;
      at = from - 1;
    }
    return from === 0 ? text : clean + text.slice(from);
  }

  #starts(): ReadonlyMap<string, readonly string[]> {
    if (this.#byStart) return this.#byStart;
    const starts = new Map<string, string[]>();
    const forms = [...this.#secrets].flatMap((secret) => [secret, inUrl(secret)]);
    for (const form of new Set(forms.toSorted((a, b) => b.length - a.length))) {
      const start = form.slice(0, shortestSearched);
      starts.set(start, [...(starts.get(start) ?? []), form]);
    }
    this.#byStart = starts;
    return starts;
  }
}

/** The token behind its scheme, the values of cookies, the password of a user; of what a cookie is set to not how long. */
function partsOf(name: string, value: string): string[] {
  if (name === 'cookie') return value.split(/;\s*/).map(afterName);
  if (name === 'set-cookie') return [afterName(value.split(';')[0] ?? '')];
  const [scheme = '', ...words] = value.split(' ');
  if (/^basic$/i.test(scheme)) return words.flatMap((word) => [word, passwordOf(word)]);
  const said = /authorization$/.test(name) && words.length > 0 ? words.join(' ') : value;
  return said.split(/[\s;,"]+/).flatMap((part) => (part.includes('=') ? [part, afterName(part)] : part));
}

const afterName = (pair: string): string => pair.slice(pair.indexOf('=') + 1);

function passwordOf(word: string): string {
  const user = Buffer.from(word, 'base64').toString();
  return user.slice(user.indexOf(':') + 1);
}
