import { type Contract, contract } from '../contract.js';
import { literally, mapTexts, Redactor, shortestSearched } from '../http/redact.js';
import { memoize } from '../memoize.js';
import { headerOf, isId } from '../outcome/read.js';
import { redacted, urlEncoded } from '../rule/values.js';

/** Removes keys and other secrets from recorded exchanges. */

/** Headers whose values are shown. All others may hold secrets. */
const shownHeaders = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'age', 'allow', 'cache-control', 'connection'],
  ...['content-disposition', 'content-encoding', 'content-language', 'content-length', 'content-type', 'date', 'etag'],
  ...['expires', 'host', 'keep-alive', 'last-modified', 'origin', 'pragma', 'retry-after', 'server', 'traceparent'],
  ...['transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate', 'x-correlation-id', 'x-powered-by'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'],
]);

/** The parameters of the contract. Other parameters are not this service's, and may hold secrets. */
const declared = memoize(
  ({ operations, operationIds }: Contract) =>
    new Set(operationIds.flatMap((id) => operations[id].queryParameters.map(({ name }) => name))),
);

const isShownInQuery = (name: string): boolean => declared(contract()).has(name);

/** A URL without the query values that are not shown. */
export const withoutQueryValues = (url: string, isShown = isShownInQuery): string =>
  url
    .replace(/\?[^#]*/, (query) =>
      query.replaceAll(/(?<=[?&])([^&=]*)(=?)[^&]*/g, (part, name: string, equals: string) =>
        isShown(name) ? part : equals ? `${name}=${redacted}` : name && redacted,
      ),
    )
    .replace(/#.*$/s, '');
/** Removes user and password. */
export const withoutUser = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/, '$1');
/** What recorders write in place of a key, or of a part of it. */
const mask = /^\W*(?:redacted|masked|hidden|removed|api[_-]?key)\W*$|^(.)\1*$|^[<{[%$]|[*•●]{2}|…|\.{3}/i;

export const keysIn = (headers: Readonly<Record<string, string>>): string[] =>
  contract()
    .keyHeaders.flatMap((name) => headerOf(headers, name)?.split(', ') ?? [])
    .filter((key) => key !== '' && !mask.test(key));

export const isShown = (name: string): boolean => shownHeaders.has(name);

/** `hadKey`: a key was found where none belongs. */
export function withoutKeys(raw: Readonly<Record<string, string>>, redactor: Redactor) {
  const headers: Record<string, string> = {};
  let hadKey = false;
  for (const [name, value] of Object.entries(raw)) {
    const line = `${name} ${value}`;
    hadKey ||= redactor.text(line) !== line;
    headers[redactor.text(name)] = isShown(name) ? redactor.text(value) : value && redacted;
  }
  return { headers, hadKey };
}

/** Names of secrets. */
const secretName = /auth|cookie|credential|jwt|key|passw|secret|session|sig|token|^sid$/i;
/** What looks like a secret under any other name: long, with letters and digits, without blanks, and no id or host. */
const isLikely = (part: string): boolean =>
  /^(?=\D*\d)(?=[^a-z]*[a-z])[\w.~+/=-]{16,}$/i.test(part) && !isId(part) && !/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(part);
/** What recorders write in place of a secret, or careless callers send. It is none. */
const isFiller = (part: string): boolean => part.includes('redacted') || part === 'undefined' || /^(.)\1*$/.test(part);

/** A limit for each kind: a recording may have another value in each request. */
const most = 2000;
const mostSeen = 10_000;
/** How many secrets are also searched for in base64, hex and other forms: keys, and those of the first requests. */
const mostThorough = 10;

/**
 * The header and query values that reports do not show. They are masked everywhere else too: an answer that repeats a
 * caller's token gives as much access as the token. Judges see the traffic as it came.
 */
export class MaskedValues {
  readonly #secrets = new Set<string>();
  #likely = 0;
  readonly #seen = new Set<string>();
  /** Matches each of them, the longest first. */
  #pattern: RegExp | undefined;
  #thorough: Redactor | undefined;

  /** Notes a header or query value that is not shown. */
  note(name: string, value: string): void {
    if (value.length < shortestSearched || this.#seen.has(value)) return;
    if (this.#seen.size === mostSeen) this.#seen.clear();
    this.#seen.add(value);
    const isSecret = secretName.test(name);
    for (const part of partsOf(name, value)) {
      if (part.length < shortestSearched || isFiller(part) || this.#secrets.has(part)) continue;
      if (!isSecret && (!isLikely(part) || this.#likely >= most)) continue;
      if (!isSecret) this.#likely += 1;
      this.add([part]);
    }
  }

  /** Notes the values in the query of a URL. */
  noteQuery(url: string): void {
    const from = url.indexOf('?');
    if (from < 0) return;
    // A name without a value may itself be a secret.
    for (const [name, value] of new URLSearchParams(url.slice(from)))
      if (value === '') this.note('', name);
      else if (!isShownInQuery(name)) this.note(name, value);
  }

  add(secrets: Iterable<string>): void {
    for (const secret of secrets) {
      if (this.#secrets.size >= 2 * most) return;
      this.#secrets.add(secret);
      this.#pattern = undefined;
      if (this.#secrets.size <= mostThorough) this.#thorough = undefined;
    }
  }

  get all(): readonly string[] {
    return [...this.#secrets];
  }

  /** Masks the secrets in every text of a value, the first ones in all encodings. */
  mask<T>(value: T): T {
    if (this.#secrets.size === 0) return value;
    this.#thorough ??= new Redactor(this.all.slice(0, mostThorough));
    return this.#thorough.value(mapTexts(value, (text) => this.text(text)) as T);
  }

  text(text: string): string {
    if (this.#secrets.size === 0) return text;
    const forms = () => [...this.#secrets].flatMap((secret) => [secret, urlEncoded(secret)]);
    this.#pattern ??= new RegExp(
      [...new Set(forms().toSorted((a, b) => b.length - a.length))].map(literally).join('|'),
      'g',
    );
    return text.replaceAll(this.#pattern, redacted);
  }
}

/** The parts that may be secret: a token after its scheme, cookie values, a password; no attributes of cookies. */
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
