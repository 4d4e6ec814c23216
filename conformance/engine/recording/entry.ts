/** Reads one entry of a recording, and makes an exchange without keys of it. */

import { createHash } from 'node:crypto';
import { contract } from '../contract.js';
import { addressOf } from '../http/address.js';
import { parseBody, truncate } from '../http/body.js';
import { Redactor } from '../http/redact.js';
import { memoize, Recent } from '../memoize.js';
import { isCut } from '../outcome/outcome.js';
import { type Fields, isFields, traitsOf } from '../outcome/read.js';
import { isMasked } from '../rule/altered.js';
import type { Address, Entry } from '../vocabulary/recording.js';
import type { Body, Exchange, Failure, Response } from '../vocabulary.js';
import {
  announcesBody,
  boundedDuration,
  fieldsOf,
  fromHar,
  headerOf,
  isHarEntry,
  Malformed,
  type Message,
  masksIds,
  mayBeIncomplete,
  noAnswer,
  omittedBody,
  type RawBody,
  type RawExchange,
  statusOf,
  textOf,
  timeOf,
  wholeBody,
} from './har.js';
import { isShown, keysIn, MaskedValues, withoutKeys, withoutQueryValues, withoutUser } from './keyless.js';

/** How many entries apart duplicates are recognised: an export that was merged with itself may be as long. */
const usually = 20_000;

/** Recognises duplicates: exports are merged twice, and two recorders write the same exchange. */
export class DuplicateFilter {
  readonly #window: number;
  /** The ids of exchanges, by their content. */
  readonly #known: Recent<string, number>;

  constructor(window = usually) {
    this.#window = window;
    this.#known = new Recent(4 * window, () => 1);
  }

  /** Returns whether an equal exchange was read before; else remembers it. `fields` is the entry itself. */
  isDuplicate(exchange: Exchange, question: Text, answer: Text, fields: Fields): boolean {
    const { id, at } = exchange;
    // With a clock of whole seconds, equal updates may be real: changed, changed back, and changed again.
    if (traitsOf(exchange)?.effect === 'changes' && at % 1000 === 0) return false;
    const name = `${labelOf(fields)} ${nameOf(exchange)} ${digestOf(question)} ${digestOf(answer)}`;
    const earlier = this.#known.get(name);
    if (earlier !== undefined && id - earlier <= this.#window) return true;
    this.#known.set(name, id);
    return false;
  }
}

/** If a recorder numbers exchanges, the number tells equal ones apart. */
const labelOf = ({ _id, id = _id }: Fields): string =>
  typeof id === 'number' || typeof id === 'string' ? `${id}` : '';

function nameOf({ at, durationMs, request, response, failure }: Exchange): string {
  const answered = response ? response.status : failure?.message;
  return `${at} ${durationMs} ${answered} ${request.method} ${request.url}`;
}

const digestOf = memoize(({ clean }: Text): string => createHash('sha1').update(clean).digest('base64'));

/** Begins with a scheme, which is not a host with a port. */
const isAbsolute = (url: string): boolean => /^[a-z][a-z\d+.-]*:(?!\d)/i.test(url);

/** Whether the URL is a path without a host. */
const isPath = (url: string): boolean => url.startsWith('/') && !url.startsWith('//');

/** The possible URLs of a request, the most likely first. A path and a host header do not tell the scheme. */
function urlsOf(request: Fields): string[] {
  const header = (name: string) => headerIn(request.headers, name);
  const http2Path = request.url === undefined || request.url === '' ? header(':path') : undefined;
  const url = http2Path ?? textOf(request.url, 'request.url');
  if (isAbsolute(url)) return [url];
  const host = isPath(url) ? (header(':authority') ?? header('host')) : '';
  if (host === undefined) return [url];
  const [scheme] = [header(':scheme') ?? header('x-forwarded-proto')].filter((one) => /^https?$/.test(one ?? ''));
  return (scheme ? [scheme] : ['https', 'http']).map((one) => `${one}://${host}${url.replace(/^\/\//, '')}`);
}

/** A header from a list of names and values (HAR) or from an object (a line of this suite). */
function headerIn(headers: unknown, wanted: string): string | undefined {
  const pairs = Array.isArray(headers)
    ? headers.filter(isFields).map(({ name, value }) => [name, value])
    : Object.entries(isFields(headers) ? headers : {});
  const [, value] = pairs.find(([name]) => typeof name === 'string' && name.toLowerCase() === wanted) ?? [];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A body without the keys that were sent with it, as text and parsed. */
export interface Text {
  readonly clean: string;
  readonly body: Body;
  /** The recorder has masked ids or times in it. */
  readonly isMasked: boolean;
}

interface Line {
  readonly method: string;
  readonly url: string;
  /** Undefined for another API. */
  readonly address: Address | undefined;
}

/** Whether an unknown request about executions may look them up. */
const mayLookUp = (method: string, url: string): boolean =>
  /\/agents\/v2\/(?:[^?#]*\/)?executions?(?:[/?#]|$)/.test(url) && !addressOf(method, withoutUser(url));

/**
 * Whether a request may belong to an operation that the interface does not show, such as `GET …/executions/search`: it
 * was accepted with a word in the place of an id.
 */
const mayBeAnother = ({ path, resource }: Address, { response }: RawExchange): boolean =>
  path.endsWith('}') && /^[a-z]+(?:[-_][a-z]+)*$/i.test(resource) && (response?.status ?? 400) < 400;

/** Whether the id in the path was replaced by a mask or a template: no service would have accepted it. */
const hidesItsId = ({ resource }: Address, { response }: RawExchange): boolean =>
  isMasked(resource) || (/^[{<[:]/.test(resource) && (response?.status ?? 400) < 400);

const foreign = (method: string, url: string): Entry => ({
  kind: 'foreign',
  ...(mayLookUp(method, url) && { mayLookUp: true }),
});

/** The keys of a request. */
interface Keys {
  readonly redactor: Redactor;
  readonly number?: number;
}

const rememberedKeys = 100;
/** How many characters of bodies are cached. Longer bodies seldom repeat. */
const [rememberedCharacters, longestRemembered] = [4 * 1024 * 1024, 64 * 1024];

/** Turns entries into exchanges without keys. */
export class EntryReader {
  readonly #accepts: (baseUrl: string) => boolean;
  readonly #controls: DuplicateFilter | undefined;
  readonly #known = new Map<string, Keys>();
  #numbers = 0;
  readonly #texts = new Recent<string, Text & { readonly of: string; readonly redactor: Redactor }>(
    rememberedCharacters,
    ({ of }) => of.length,
  );
  /** All secrets that were read. */
  readonly maskedValues = new MaskedValues();

  /** `accepts` decides whether a base URL is the target's. */
  constructor(accepts: (baseUrl: string) => boolean = () => true, controls?: DuplicateFilter) {
    this.#accepts = accepts;
    this.#controls = controls;
  }

  /** `id` becomes the id of the exchange. Throws `Malformed`. */
  read(value: unknown, id: number): Entry {
    const fields = fieldsOf(value, 'it');
    const line = this.#line(fieldsOf(fields.request, 'request'));
    return line.address ? this.#own(line.address, line, fields, id) : foreign(line.method, line.url);
  }

  /** Undefined for another API. */
  addressOf(method: string, url: string): Address | undefined {
    const address = addressOf(method, withoutUser(url));
    return address && this.#accepts(address.baseUrl) ? address : undefined;
  }

  #own(address: Address, line: Line, fields: Fields, id: number): Entry {
    const raw = isHarEntry(fields) ? fromHar(fields) : fromExchange(fields);
    if (raw && mayBeAnother(address, raw))
      return { kind: 'foreign', ...(address.operation === contract().readOperation && { mayLookUp: true }) };
    // 304: the answer is what its caller has kept.
    const recorded =
      raw && raw.response?.status !== 304 && !hidesItsId(address, raw)
        ? this.#exchange(address, line, raw, id, fields)
        : undefined;
    return recorded ?? { kind: 'unrecorded', address };
  }

  #exchange({ operation, resource, baseUrl }: Address, line: Line, raw: RawExchange, id: number, fields: Fields) {
    const { redactor, number: key } = this.#keys([...new Set(keysIn(raw.request.headers))]);
    const question = this.#text(raw.request.body.text, redactor);
    this.maskedValues.noteQuery(line.url);
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
    if (this.#controls?.isDuplicate(exchange, question, answer, fields)) return { kind: 'again' as const };
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
    const method = textOf(request.method, 'request.method').toUpperCase();
    const urls = urlsOf(request).map(withoutUser);
    const found = urls.find((url) => this.addressOf(method, url));
    const [url = ''] = found === undefined ? urls : [found];
    if (isPath(url) && addressOf(method, `https://host${url}`))
      throw new Malformed(`request.url is a path, and there is no Host header`);
    const address = this.addressOf(method, url);
    if (address && !URL.canParse(url)) throw new Malformed('request.url is no URL');
    return { method, url, address };
  }

  /** Polls mostly get the same answer: it is cleaned and parsed once, and then compared by identity. */
  #text(text: string, redactor: Redactor): Text {
    const cached = this.#texts.get(text);
    if (cached?.redactor === redactor) return cached;
    const clean = redactor.text(text);
    const made = { clean, body: parseBody(clean), isMasked: masksIds(clean), of: text, redactor };
    if (text.length <= longestRemembered) this.#texts.set(text, made);
    return made;
  }

  #cleaned(headers: Readonly<Record<string, string>>, redactor: Redactor) {
    for (const name in headers) if (!isShown(name)) this.maskedValues.note(name, headers[name] ?? '');
    return withoutKeys(headers, redactor);
  }

  /** Undefined if the body was not recorded completely. */
  #answered(
    raw: NonNullable<RawExchange['response']>,
    { clean, body }: Text,
    redactor: Redactor,
  ): Response | undefined {
    if (isLost(raw, body)) return undefined;
    const { headers, hadKey } = this.#cleaned(raw.headers, redactor);
    const repeatsKey = raw.repeatsKey || hadKey || clean !== raw.body.text;
    return { status: raw.status, headers, body, repeatsKey };
  }

  #keys(keys: readonly string[]): Keys {
    const name = keys.join('\n');
    const cached = this.#known.get(name);
    if (cached) return cached;
    if (this.#known.size === rememberedKeys) this.#known.clear();
    const made = { redactor: new Redactor(keys), ...(keys.length > 0 && { number: ++this.#numbers }) };
    this.#known.set(name, made);
    return made;
  }
}

/** Whether a body was not recorded, or not completely. A body that parses is complete, whatever else is said of it. */
const isLost = ({ body, headers, repeatsKey }: Message & { readonly repeatsKey?: boolean }, parsed: Body): boolean =>
  parsed.kind !== 'json' &&
  (!body.isWhole ||
    // A body may be shorter because a key was removed from it.
    (!repeatsKey && mayBeIncomplete(body.text, headers)) ||
    // Who cut JSON off is only known if its length was told.
    (isCut(parsed) && !body.isExact && !announcesBody(headers)));

// Reads an exchange as this suite writes it: in a JSON report, or as a line of NDJSON.

export function fromExchange(value: Fields): RawExchange {
  const request = fieldsOf(value.request, 'request');
  const common = {
    at: timeOf(value.at, 'at'),
    durationMs:
      typeof value.durationMs === 'number' && value.durationMs >= 0 && value.untimed !== true
        ? boundedDuration(value.durationMs)
        : undefined,
    request: messageOf(request, 'request'),
  };
  if (value.response === undefined) return { ...common, failure: failureOf(value.failure) };
  const response = fieldsOf(value.response, 'response');
  return {
    ...common,
    response: {
      ...messageOf(response, 'response'),
      status: statusOf(response.status),
      ...(typeof response.repeatsKey === 'boolean' && { repeatsKey: response.repeatsKey }),
    },
  };
}

const messageOf = ({ headers, body }: Fields, name: string): Message => ({
  headers: Object.fromEntries(
    Object.entries(fieldsOf(headers ?? {}, `${name}.headers`)).map(([header, value]) => [
      header.toLowerCase(),
      headerOf(value, `${name}.headers`),
    ]),
  ),
  body: body === undefined ? wholeBody('') : bodyOf(isFields(body) ? body : {}, `${name}.body`),
});

function bodyOf({ kind, value, text }: Fields, name: string): RawBody {
  if (kind === 'none') return wholeBody('');
  if (kind === 'json' && value !== undefined) {
    truncate(value);
    return wholeBody(JSON.stringify(value));
  }
  // A body as it was sent, or one that was not kept. This suite has looked at what it calls no JSON.
  if (kind === 'text' || kind === 'not-json')
    return { ...wholeBody(textOf(text, `${name}.text`)), isExact: kind === 'not-json' };
  if (kind === 'lost') return omittedBody;
  throw new Malformed(
    `${name} has an unknown kind; use none, json with a value, text or not-json with a text, or lost`,
  );
}

const failureOf = (failure: unknown): Failure =>
  isFields(failure)
    ? {
        kind: textOf(failure.kind, 'failure.kind') as Failure['kind'],
        message: textOf(failure.message, 'failure.message'),
      }
    : noAnswer;
