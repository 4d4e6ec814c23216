/** Reads one entry of a recording, and makes an exchange without keys of it. */

import { createHash } from 'node:crypto';
import { contract } from '../contract.js';
import type { Address } from '../http/address.js';
import { addressOf } from '../http/address.js';
import { parseBody } from '../http/body.js';
import { Redactor } from '../http/redact.js';
import { type Fields, sendsOtherThanJson, traitsOf } from '../outcome/read.js';
import { isMasked, replacementIn } from '../rule/altered.js';
import type { Body } from '../vocabulary.js';
import { type Entry, Recent, type Recorded } from './history.js';
import { isShown, keysIn, MaskedValues, withoutKeys, withoutQueryValues, withoutUser } from './keyless.js';
import { fieldsOf, isFull, isWhole, Malformed, type RawExchange, rawOf, textOf } from './raw.js';

/** How many exchanges are remembered: an export that was merged with itself may be as long. */
const usually = 80_000;

/** Recognises duplicates: exports are merged twice, and two recorders write the same exchange. */
export class DuplicateFilter {
  readonly #known: Recent<string, true>;

  constructor(remembered = usually) {
    this.#known = new Recent(remembered, () => 1);
  }

  /** Returns whether an equal exchange was read before; else remembers it. `fields` is the entry itself. */
  isDuplicate({ exchange, question, answer }: Recorded, { _id, id = _id }: Fields): boolean {
    const { at, durationMs, request, response, failure } = exchange;
    // With a clock of whole seconds, equal updates may be real: changed, changed back, and changed again.
    if (traitsOf(exchange)?.effect === 'changes' && at % 1000 === 0) return false;
    // If a recorder numbers exchanges, the number tells equal ones apart.
    const label = typeof id === 'number' || typeof id === 'string' ? id : '';
    const parts = [label, at, durationMs, response?.status ?? failure?.message, request.method, request.url];
    const name = createHash('sha1')
      .update([...parts, question, answer].join('\n'))
      .digest('base64');
    const isKnown = this.#known.get(name) === true;
    this.#known.set(name, true);
    return isKnown;
  }
}

/** Whether an unknown request about executions may look them up. */
const mayLookUp = (method: string, url: string): boolean =>
  /\/agents\/v2\/(?:[^?#]*\/)?executions?(?:[/?#]|$)/.test(url) && !addressOf(method, url);

/**
 * Whether a request may belong to an operation that the interface does not show, such as `GET …/executions/search`: it
 * was accepted with a word in the place of an id.
 */
const mayBeAnother = ({ path, resource }: Address, { response }: RawExchange): boolean =>
  path.endsWith('}') && /^[a-z]+(?:[-_][a-z]+)*$/i.test(resource) && (response?.status ?? 400) < 400;

/** Whether the id in the path was replaced by a mask or a template: no service would have accepted it. */
const hidesItsId = ({ resource }: Address, { response }: RawExchange): boolean =>
  isMasked(resource) || (/^[{<[:]/.test(resource) && (response?.status ?? 400) < 400);

const idOrTime = /"(?:id|\w+Id|\w+At)"\s*:\s*"([^"]{0,60})"/g;

/** A placeholder without a number stands for any value: `<uuid>`. */
const isForAny = (value: string): boolean =>
  !/\d/.test(value.replaceAll(/0{4,}/g, '')) && replacementIn(value) === value;

/** Whether an id or a time is masked. Callers and services do not mask these, so the recorder did. */
const masksIds = (text: string): boolean =>
  [...text.matchAll(idOrTime)].some(([, value = '']) => isMasked(value) || isForAny(value));

/** A body without the keys that were sent with it, as text and parsed. */
interface Text {
  readonly of: string;
  readonly redactor: Redactor;
  readonly clean: string;
  readonly body: Body;
  /** The recorder has masked ids or times in it. */
  readonly isMasked: boolean;
}

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
  readonly #duplicates: DuplicateFilter | undefined;
  readonly #known = new Map<string, Keys>();
  #numbers = 0;
  readonly #texts = new Recent<string, Text>(rememberedCharacters, ({ of }) => of.length);
  /** All secrets that were read. */
  readonly maskedValues = new MaskedValues();

  /** `accepts` decides whether a base URL is the target's. */
  constructor(accepts: (baseUrl: string) => boolean = () => true, duplicates?: DuplicateFilter) {
    this.#accepts = accepts;
    this.#duplicates = duplicates;
  }

  /** `id` becomes the id of the exchange. Throws `Malformed`. */
  read(value: unknown, id: number): Entry {
    const fields = fieldsOf(value, 'it');
    const request = fieldsOf(fields.request, 'request');
    const method = textOf(request.method, 'request.method').toUpperCase();
    const url = withoutUser(textOf(request.url, 'request.url'));
    const address = addressOf(method, url);
    if (url.startsWith('/') && addressOf(method, `https://host${url}`))
      throw new Malformed('request.url is a path; write the whole URL');
    if (!address || !this.#accepts(address.baseUrl))
      return { kind: 'foreign', ...(mayLookUp(method, url) && { mayLookUp: true }) };
    if (!URL.canParse(url)) throw new Malformed('request.url is no URL');
    const raw = rawOf(fields);
    if (raw && mayBeAnother(address, raw))
      return { kind: 'foreign', ...(address.operation === contract().readOperation && { mayLookUp: true }) };
    // 304: the answer is what its caller has kept.
    const isAnswer = raw && raw.response?.status !== 304 && !hidesItsId(address, raw);
    const recorded = isAnswer ? this.#recorded(address, method, url, raw, id) : undefined;
    if (!recorded) return { kind: 'unrecorded', address };
    return this.#duplicates?.isDuplicate(recorded, fields) ? { kind: 'again' } : { kind: 'exchange', ...recorded };
  }

  /** Undefined if a body was not recorded completely. */
  #recorded(
    { operation, resource, baseUrl }: Address,
    method: string,
    url: string,
    { at, durationMs, request, response, failure }: RawExchange,
    id: number,
  ): Recorded | undefined {
    this.maskedValues.noteQuery(url);
    const { redactor, number: key } = this.#keys([...new Set(keysIn(request.headers))]);
    const question = this.#text(request.body, redactor);
    const answer = this.#text(response?.body, redactor);
    const mayHaveBody = contract().operations[operation].requestBody !== 'none';
    if (question.isMasked || (mayHaveBody && !isWhole(request, question.body))) return undefined;
    if (answer.isMasked || (response && !isWhole(response, answer.body))) return undefined;
    const received = response && this.#cleaned(response.headers, redactor);
    const sent = {
      method,
      url: withoutQueryValues(redactor.text(url)),
      headers: this.#cleaned(request.headers, redactor).headers,
      body: question.body,
    };
    // The interface does not show what becomes of such a request: only its caller is judged.
    const isForeign = sendsOtherThanJson({ request: sent });
    return {
      exchange: {
        id,
        operation,
        resource: resource ? redactor.text(resource) : null,
        at,
        durationMs: durationMs ?? 0,
        ...(durationMs === undefined && { untimed: true as const }),
        request: sent,
        ...(isForeign && {
          failure: { kind: 'unknown', message: 'The body of the request was not labelled as JSON.' },
        }),
        ...(received &&
          !isForeign && {
            response: {
              status: response.status,
              headers: received.headers,
              body: answer.body,
              repeatsKey: response.repeatsKey || received.hadKey || answer.clean !== response.body,
            },
          }),
        ...(failure && { failure: { ...failure, message: redactor.text(failure.message) } }),
      },
      baseUrl,
      answer: answer.clean,
      question: question.clean,
      isFull: { request: isFull(request), response: response && isFull(response) },
      showsKey: key !== undefined || response?.repeatsKey !== undefined,
      ...(key !== undefined && { key }),
    };
  }

  /** Polls mostly get the same answer: it is cleaned and parsed once, and then compared by identity. */
  #text(of = '', redactor: Redactor): Text {
    const cached = this.#texts.get(of);
    if (cached?.redactor === redactor) return cached;
    const clean = redactor.text(of);
    const made = { of, redactor, clean, body: parseBody(clean), isMasked: masksIds(clean) };
    if (of.length <= longestRemembered) this.#texts.set(of, made);
    return made;
  }

  #cleaned(headers: Readonly<Record<string, string>>, redactor: Redactor) {
    for (const name in headers) if (!isShown(name)) this.maskedValues.note(name, headers[name] ?? '');
    return withoutKeys(headers, redactor);
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
