import { createHash } from 'node:crypto';
import { contract, type OperationId } from '../contract.js';
import { type Address, addressOf } from '../http/address.js';
import { parseBody } from '../http/body.js';
import { Redactor } from '../http/redact.js';
import { memoize, Recent } from '../memoize.js';
import { type Fields, isFields, traitsOf } from '../outcome/read.js';
import { isMasked } from '../rule/masked.js';
import type { Body, Exchange, Response } from '../vocabulary.js';
import { fromExchange } from './exchange-line.js';
import { fromHar, isHarEntry } from './har-entry.js';
import { cleaned, isShown, keysIn, TakenOut, withoutQueryValues, withoutUser } from './keyless.js';
import { fieldsOf, Malformed, type Message, masksIds, mayBeLess, type Raw, textOf } from './raw.js';

/** So many items after an exchange it is known again: an export that was merged with itself may be as long. */
const usually = 20_000;

/** Tells exchanges that were read before: exports are merged twice, and two recorders write the same. */
export class Twins {
  readonly #window: number;
  /** The numbers of exchanges by what they say. */
  readonly #known: Recent<string, number>;

  constructor(window = usually) {
    this.#window = window;
    this.#known = new Recent(4 * window, () => 1);
  }

  /** Takes note of an exchange, that was read from these fields. Tells whether one that says the same was there before. */
  isTwin(exchange: Exchange, question: Text, answer: Text, fields: Fields): boolean {
    const { id, at } = exchange;
    // Where clocks tell seconds only, a setting may have been changed, changed back, and changed again.
    if (traitsOf(exchange)?.effect === 'changes' && at % 1000 === 0) return false;
    const name = `${labelOf(fields)} ${nameOf(exchange)} ${digestOf(question)} ${digestOf(answer)}`;
    const earlier = this.#known.get(name);
    if (earlier !== undefined && id - earlier <= this.#window) return true;
    this.#known.set(name, id);
    return false;
  }
}

/** A recorder that numbers exchanges tells those apart that say the same. */
function labelOf({ _id, id = _id, elsewhere }: Fields): string {
  const number = typeof id === 'number' || typeof id === 'string' ? id : '';
  return elsewhere === true ? `${number} elsewhere` : `${number}`;
}

function nameOf({ at, durationMs, request, response, failure }: Exchange): string {
  const answered = response ? response.status : failure?.message;
  return `${at} ${durationMs} ${answered} ${request.method} ${request.url}`;
}

const digestOf = memoize(({ clean }: Text): string => createHash('sha1').update(clean).digest('base64'));

/** Where a request went. What records in front of a server writes its path, and the host in a header. */

/** By its scheme, which is no host with a port. */
const isAbsolute = (url: string): boolean => /^[a-z][a-z\d+.-]*:(?!\d)/i.test(url);

/** Whether nothing of it tells which host it went to. */
const isPath = (url: string): boolean => url.startsWith('/') && !url.startsWith('//');

/** The URLs that a request may have gone to, the likeliest first: a path and a host do not tell by which scheme. */
function urlsOf(request: Fields): string[] {
  const header = (name: string) => headerOf(request.headers, name);
  const http2Path = request.url === undefined || request.url === '' ? header(':path') : undefined;
  const url = http2Path ?? textOf(request.url, 'request.url');
  if (isAbsolute(url)) return [url];
  const host = isPath(url) ? (header(':authority') ?? header('host')) : '';
  if (host === undefined) return [url];
  const [scheme] = [header(':scheme') ?? header('x-forwarded-proto')].filter((one) => /^https?$/.test(one ?? ''));
  return (scheme ? [scheme] : ['https', 'http']).map((one) => `${one}://${host}${url.replace(/^\/\//, '')}`);
}

/** A header in the form of either file: a list of names and values, or an object. */
function headerOf(headers: unknown, wanted: string): string | undefined {
  const pairs = Array.isArray(headers)
    ? headers.filter(isFields).map(({ name, value }) => [name, value])
    : Object.entries(isFields(headers) ? headers : {});
  const [, value] = pairs.find(([name]) => typeof name === 'string' && name.toLowerCase() === wanted) ?? [];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What one item of a recording is. */
export type Entry =
  | ({ readonly kind: 'exchange' } & Recorded)
  /** A request of another API. */
  | { readonly kind: 'foreign'; readonly mayLookUp?: true }
  /** A request of this one, and the recording does not hold what was sent or answered. */
  | { readonly kind: 'unrecorded'; readonly address: Address }
  /** One that was read before, and that the recording has once more. */
  | { readonly kind: 'again' }
  /** Judged in another part of the recording: told here for what it says of others, and not counted. */
  | { readonly kind: 'elsewhere'; readonly entry: Entry };

export interface Recorded {
  readonly exchange: Exchange & { readonly operation: OperationId };
  readonly baseUrl: string;
  /** The body of the answer as it was written: by this two answers are told to be equal. */
  readonly answer: string;
  /** The body that was sent, as it was written. */
  readonly question: string;
  /** Whether a key that the answer repeats would have been found. */
  readonly showsKey: boolean;
  /** Which of the recording's keys it was sent with, as a number that tells nothing else of it; absent where none is to be seen. */
  readonly key?: number;
}

/** A text without the keys that were sent with it, and what it says. */
export interface Text {
  readonly clean: string;
  readonly body: Body;
  /** Whoever recorded it has masked ids or times in it. */
  readonly isMasked: boolean;
}

interface Line {
  readonly method: string;
  readonly url: string;
  /** Undefined where it is another API's. */
  readonly address: Address | undefined;
}

/** By a request that is about executions, and that the interface does not show, they may be looked up. */
const mayLookUp = (method: string, url: string): boolean =>
  /\/agents\/v2\/(?:[^?#]*\/)?executions?(?:[/?#]|$)/.test(url) && !addressOf(method, withoutUser(url));

/**
 * Whether a request is perhaps one of an operation that the interface does not show: `GET …/executions/search`, where a word
 * stands in the place of an id, and was taken.
 */
const mayBeAnother = ({ operation, resource }: Address, { response }: Raw): boolean =>
  contract().operations[operation].path.endsWith('}') &&
  /^[a-z]+(?:[-_][a-z]+)*$/i.test(resource) &&
  (response?.status ?? 400) < 400;

/** Whether something stands in the path in place of the id: a mask, or a template, which nobody would have taken. */
const hidesItsId = ({ resource }: Address, { response }: Raw): boolean =>
  isMasked(resource) || (/^[{<[:]/.test(resource) && (response?.status ?? 400) < 400);

const foreign = (method: string, url: string): Entry => ({
  kind: 'foreign',
  ...(mayLookUp(method, url) && { mayLookUp: true }),
});

/** What a request was sent with to be let in. */
interface Keys {
  readonly redactor: Redactor;
  readonly number?: number;
}

const rememberedKeys = 100;
/** So many characters of bodies are remembered with what they say; a longer body is seldom the same again. */
const [rememberedCharacters, longestRemembered] = [4 * 1024 * 1024, 64 * 1024];

/** Turns items into exchanges. No key leaves it. */
export class EntryReader {
  readonly #accepts: (baseUrl: string) => boolean;
  readonly #twins: Twins | undefined;
  readonly #known = new Map<string, Keys>();
  #numbers = 0;
  readonly #texts = new Recent<string, Text & { readonly of: string; readonly redactor: Redactor }>(
    rememberedCharacters,
    ({ of }) => of.length,
  );
  /** What no report may show, of all that was read. */
  readonly takenOut = new TakenOut();

  /** `accepts` tells whether a base URL is the target's; `twins`, what was read before. */
  constructor(accepts: (baseUrl: string) => boolean = () => true, twins?: Twins) {
    this.#accepts = accepts;
    this.#twins = twins;
  }

  /** `id` is the number that the exchange is given. Throws `Malformed`. */
  read(value: unknown, id: number): Entry {
    const fields = fieldsOf(value, 'it');
    const line = this.#line(fieldsOf(fields.request, 'request'));
    const entry = line.address ? this.#own(line.address, line, fields, id) : foreign(line.method, line.url);
    return isElsewhere(fields) ? { kind: 'elsewhere', entry } : entry;
  }

  /** Undefined where a request is another API's. */
  addressOf(method: string, url: string): Address | undefined {
    const address = addressOf(method, withoutUser(url));
    return address && this.#accepts(address.baseUrl) ? address : undefined;
  }

  #own(address: Address, line: Line, fields: Fields, id: number): Entry {
    const raw = isHarEntry(fields) ? fromHar(fields) : fromExchange(fields);
    if (raw && mayBeAnother(address, raw))
      return { kind: 'foreign', ...(address.operation === contract().look && { mayLookUp: true }) };
    const recorded = raw && !hidesItsId(address, raw) ? this.#exchange(address, line, raw, id, fields) : undefined;
    return recorded ?? { kind: 'unrecorded', address };
  }

  #exchange({ operation, resource, baseUrl }: Address, line: Line, raw: Raw, id: number, fields: Fields) {
    const { redactor, number: key } = this.#keys([...new Set(keysIn(raw.request.headers))]);
    const question = this.#text(raw.request.body.text, redactor);
    this.takenOut.noteQuery(line.url);
    if (contract().operations[operation].requestBody !== 'none' && isLost(raw.request, question.body)) return undefined;
    const answer = this.#text(raw.response?.body.text ?? '', redactor);
    if (question.isMasked || answer.isMasked) return undefined;
    const response = raw.response && this.#answered(raw.response, answer, redactor);
    if (raw.response && !response) return undefined;
    const exchange = {
      id,
      operation,
      resource: resource ? redactor.text(resource) : null,
      at: raw.at,
      durationMs: raw.durationMs ?? 0,
      ...(raw.durationMs === undefined && { untimed: true as const }),
      request: {
        method: line.method,
        url: withoutQueryValues(redactor.text(line.url)),
        headers: this.#cleaned(raw.request.headers, redactor).headers,
        body: question.body,
      },
      ...(response && { response }),
      ...(raw.failure && { failure: { ...raw.failure, message: redactor.text(raw.failure.message) } }),
    };
    if (this.#twins?.isTwin(exchange, question, answer, fields)) return { kind: 'again' as const };
    return {
      kind: 'exchange' as const,
      exchange,
      baseUrl,
      answer: answer.clean,
      question: question.clean,
      showsKey: key !== undefined || raw.response?.repeatsKey !== undefined,
      ...(key !== undefined && { key }),
    };
  }

  #line(request: Fields): Line {
    const method = textOf(request.method, 'request.method');
    const urls = urlsOf(request).map(withoutUser);
    const found = urls.find((url) => this.addressOf(method, url));
    const [url = ''] = found === undefined ? urls : [found];
    if (isPath(url) && addressOf(method, `https://host${url}`))
      throw new Malformed(`request.url is a path, and no Host header tells where it went`);
    return { method, url, address: this.addressOf(method, url) };
  }

  /**
   * Most answers of an execution that is polled are the one before again: such a text is cleaned and parsed once, and what it
   * says is the same object, by which whoever compares two of them is done at once.
   */
  #text(text: string, redactor: Redactor): Text {
    const known = this.#texts.get(text);
    if (known?.redactor === redactor) return known;
    const clean = redactor.text(text);
    const made = { clean, body: parseBody(clean), isMasked: masksIds(clean), of: text, redactor };
    if (text.length <= longestRemembered) this.#texts.set(text, made);
    return made;
  }

  #cleaned(headers: Readonly<Record<string, string>>, redactor: Redactor) {
    for (const name in headers) if (!isShown(name)) this.takenOut.note(name, headers[name] ?? '');
    return cleaned(headers, redactor);
  }

  /** Undefined where the body was not recorded to its end. */
  #answered(raw: NonNullable<Raw['response']>, { clean, body }: Text, redactor: Redactor): Response | undefined {
    if (isLost(raw, body)) return undefined;
    const { headers, hadKey } = this.#cleaned(raw.headers, redactor);
    const repeatsKey = raw.repeatsKey || hadKey || clean !== raw.body.text;
    return { status: raw.status, headers, body, repeatsKey };
  }

  #keys(keys: readonly string[]): Keys {
    const name = keys.join('\n');
    const known = this.#known.get(name);
    if (known) return known;
    if (this.#known.size === rememberedKeys) this.#known.clear();
    const made = { redactor: new Redactor(keys), ...(keys.length > 0 && { number: ++this.#numbers }) };
    this.#known.set(name, made);
    return made;
  }
}

const isElsewhere = ({ elsewhere }: Fields): boolean => elsewhere === true;

/** Whether a body was not recorded, or not to its end. Where it can be read it was, whatever else is said of it. */
const isLost = ({ body, headers, repeatsKey }: Message & { readonly repeatsKey?: boolean }, { kind }: Body): boolean =>
  // Without the key that it repeated a body may be shorter.
  kind !== 'json' && (!body.isWhole || (!repeatsKey && mayBeLess(body.text, headers)));
