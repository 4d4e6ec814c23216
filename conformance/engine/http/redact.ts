/** Finds and removes secrets in texts: keys, however they are encoded, and signed URLs. */
import { isFields } from '../../../common/values.js';
import { memoizeText } from '../memoize.js';
import { redacted } from '../rule/values.js';

/** Shorter secrets would match by chance, and are not searched for. */
export const shortestSearched = 8;

/** Removes secrets from texts, in all forms in which JSON, URLs, HTML, base64 or hex write them. */
export class Redactor {
  readonly #secrets: ReadonlySet<string>;
  /** Undefined if there is nothing to search for. */
  readonly #pattern: RegExp | undefined;
  /** For texts without escapes, which are most: it takes a tenth of the time. */
  readonly #plain: RegExp | undefined;

  constructor(secrets: readonly string[]) {
    this.#secrets = new Set(secrets.filter((secret) => secret !== ''));
    // The longest first, so that no part of a secret remains.
    const searched = [...this.#secrets]
      .filter((secret) => secret.length >= shortestSearched)
      .sort((a, b) => b.length - a.length);
    const patternOf = (forms: (secret: string) => string[]) =>
      searched.length > 0 ? new RegExp([...new Set(searched.flatMap(forms))].join('|'), 'g') : undefined;
    this.#pattern = patternOf((secret) => [[...secret].map(character).join(nothing), ...encodedFormsOf(secret)]);
    this.#plain = patternOf((secret) => [literally(secret), ...encodedFormsOf(secret)]);
  }

  text(text: string): string {
    const pattern = /[\\%&\0]/.test(text) ? this.#pattern : this.#plain;
    return pattern ? text.replace(pattern, redacted) : text;
  }

  /** Redacts every text in a value, including field names. Returns the value itself if nothing changes. */
  value<T>(value: T): T {
    return this.#pattern ? (mapTexts(value, (text) => this.text(text)) as T) : value;
  }

  /** Redacts headers that the run sends. There even a short key is no coincidence. */
  sent(headers: Readonly<Record<string, string>>): Record<string, string> {
    const masked = Object.entries(headers).map(([name, value]) => [name, this.#secrets.has(value) ? redacted : value]);
    return this.value(Object.fromEntries(masked));
  }
}

/** Maps every text in a value, including field names. What does not change is not copied. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    let items: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const changed = mapTexts(item, change);
      if (changed !== item) items ??= [...value];
      if (items) items[index] = changed;
    }
    return items ?? value;
  }
  if (!isFields(value)) return value;
  let isChanged = false;
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    const entry: [string, unknown] = [change(name), mapTexts(value[name], change)];
    isChanged ||= entry[0] !== name || entry[1] !== value[name];
    entries.push(entry);
  }
  return isChanged ? Object.fromEntries(entries) : value;
}

const encodedFormsOf = (secret: string): string[] => [
  ...[0, 1, 2].map((offset) => base64(secret, offset)),
  Buffer.from(secret).toString('hex').replaceAll(/[a-f]/g, eitherCase),
];

const eitherCase = (letter: string): string => `[${letter.toLowerCase()}${letter.toUpperCase()}]`;
/** A pattern that matches this text and no other. */
export const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const named: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '/': 'sol',
  '+': 'plus',
  '=': 'equals',
};

/** In UTF-16 there is a zero byte between two ASCII characters. */
const nothing = '(?:\\0|\\\\{1,8}u0000)?';

/** A character as JSON, percent-encoding and HTML may write it, also nested. */
function character(of: string): string {
  const code = of.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, '0').replaceAll(/[a-f]/g, eitherCase);
  const percent = [...Buffer.from(of)]
    .map((byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, '0').replaceAll(/[a-f]/g, eitherCase)}`)
    .join('');
  const entity = named[of] ? `|&${named[of]};` : '';
  // All repetitions are bounded, so a body of nothing but backslashes takes no longer than another.
  return `(?:\\\\{0,8}${literally(of)}|\\\\{1,8}(?:u00|x)${hex}|${percent}|&#0{0,5}${code};|&#[xX]0{0,5}${hex};${entity})`;
}

/** The base64 characters that depend on the secret alone, if it begins `offset` bytes into a group of three. */
function aloneInBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes.toString('base64').slice(offset === 0 ? 0 : offset + 1, Math.floor((bytes.length * 8) / 6));
}

function base64(secret: string, offset: number): string {
  const written = [...aloneInBase64(secret, offset)]
    .map((one) => (one === '+' ? '[+-]' : one === '/' ? '(?:\\\\{0,4}\\/|_)' : one))
    .join('');
  // The last character may also encode what follows.
  return (Buffer.byteLength(secret) + offset) % 3 === 0 ? written : `${written}[\\w+/-]?={0,2}`;
}

/** Its patterns take long to compile, and runs of one process have the same secrets. */
const redactorOf = memoizeText((secrets) => new Redactor(JSON.parse(secrets) as string[]));

/** Everything that no report may show: keys, and what the target file calls secret. */
export class Secrets {
  /** Finds keys that an answer repeats. */
  readonly #keys: Redactor;
  readonly #all: Set<string>;
  #redactor: { readonly of: number; readonly redactor: Redactor } | undefined;

  constructor(keys: readonly string[], others: readonly string[]) {
    this.#keys = redactorOf(JSON.stringify(keys));
    this.#all = new Set([...keys, ...others]);
  }

  add(secret: string): void {
    this.#all.add(secret);
  }

  isRepeatedIn(text: string): boolean {
    return this.#keys.text(text) !== text;
  }

  get redactor(): Redactor {
    if (this.#redactor?.of !== this.#all.size)
      this.#redactor = { of: this.#all.size, redactor: redactorOf(JSON.stringify([...this.#all])) };
    return this.#redactor.redactor;
  }
}

/** URLs with a query, also as JSON and HTML escape them. */
const url = /\bhttps?:(?:\\?\/){2}[^\s"'<>?]*\?[^\s"'<>]*/gi;
const parameter = /([?&#;]|\\u0026)([^\s=&?#;\\]+)=([^\s&#;\\]*)/g;
/** `X-Amz-Signature`, `sig`, `access_token`, `Expires`, `Key-Pair-Id`. */
const signing =
  /(?:^|[-_.])(?:sig|signature|signed|token|jwt|hmac|secret|credential|policy|expires|key)(?:$|[-_.])|^x-(?:amz|goog|ms|oss|cos)-|(?:signature|token)$|[a-z](?:Signature|Token)/i;

/** Masks the query values of signed URLs, which anybody can use. They are numbered, so that equal ones stay equal. */
export function signedUrlMask(): (text: string) => string {
  const numbers = new Map<string, number>();
  const masked = (value: string): string => {
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return `[signed ${numbers.get(value)}]`;
  };
  const query = (one: string): string =>
    [...one.matchAll(parameter)].some(([, , name = '']) => signing.test(name))
      ? one.replace(parameter, (_, before: string, name: string, value: string) => `${before}${name}=${masked(value)}`)
      : one;
  return (text) => (text.includes('?') ? text.replace(url, query) : text);
}
