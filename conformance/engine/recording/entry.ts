import { contract, type OperationId } from '../contract.js';
import { type Address, addressOf } from '../http/address.js';
import { Redactor } from '../http/redact.js';
import { memoize, memoizePair } from '../memoize.js';
import type { Fields } from '../outcome/read.js';
import { isMasked } from '../rule/masked.js';
import type { Body, Exchange, Response } from '../vocabulary.js';
import { mayBeLess } from './cut-off.js';
import { fromExchange } from './exchange-line.js';
import { fromHar, isHarEntry } from './har-entry.js';
import { cleaned, isShown, keysIn, withoutQueryValues, withoutUser } from './keyless.js';
import { fieldsOf, Malformed, type Message, type Raw, type RawBody, textOf } from './raw.js';
import { isPath, urlsOf } from './request-url.js';
import { TakenOut } from './taken-out.js';
import { type Text, Texts } from './texts.js';
import type { Twins } from './twins.js';

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

interface Line {
  readonly method: string;
  readonly url: string;
  /** Undefined where it is another API's. */
  readonly address: Address | undefined;
}

/** By a request that is about executions, and that the interface does not show, they may be looked up. */
const mayLookUp = (method: string, url: string): boolean =>
  /\/agents\/v2\/(?:[^?#]*\/)?executions?(?:[/?#]|$)/.test(url) && !addressOf(method, withoutUser(url));

/** What a request says. */
interface Asked {
  readonly key?: number;
  readonly redactor: Redactor;
  readonly resource: string | null;
  readonly question: Text;
  readonly request: Exchange['request'];
}

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
const nothing: RawBody = { text: '', isWhole: true };

/** Turns items into exchanges. No key leaves it. */
export class EntryReader {
  readonly #accepts: (baseUrl: string) => boolean;
  readonly #twins: Twins | undefined;
  readonly #known = new Map<string, Keys>();
  #numbers = 0;
  readonly #texts = new Texts();
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

  #exchange({ operation, baseUrl }: Address, line: Line, raw: Raw, id: number, fields: Fields) {
    const asked = this.#asked(raw.request, line);
    const { redactor, question, request, resource } = asked;
    if (contract().operations[operation].requestBody !== 'none' && isLost(raw.request, request.body)) return undefined;
    const answer = this.#text(redactor, raw.response?.body ?? nothing);
    if (question.isMasked || answer.isMasked) return undefined;
    const response = raw.response && this.#answered(raw.response, answer, redactor);
    if (raw.response && !response) return undefined;
    const exchange = {
      id,
      operation,
      resource,
      at: raw.at,
      durationMs: raw.durationMs ?? 0,
      ...(raw.durationMs === undefined && { untimed: true as const }),
      request,
      ...(response && { response }),
      ...(raw.failure && { failure: { ...raw.failure, message: redactor.text(raw.failure.message) } }),
    };
    const { key } = asked;
    const showsKey = key !== undefined || raw.response?.repeatsKey !== undefined;
    if (this.#twins?.isTwin(exchange, question, answer, fields)) return { kind: 'again' as const };
    return {
      kind: 'exchange' as const,
      exchange,
      baseUrl,
      answer: answer.clean,
      question: question.clean,
      showsKey,
      ...(key !== undefined && { key }),
    };
  }

  readonly #line = memoize((request: Fields): Line => {
    const method = textOf(request.method, 'request.method');
    const urls = urlsOf(request).map(withoutUser);
    const found = urls.find((url) => this.addressOf(method, url));
    const [url = ''] = found === undefined ? urls : [found];
    if (isPath(url) && addressOf(method, `https://host${url}`))
      throw new Malformed(`request.url is a path, and no Host header tells where it went`);
    return { method, url, address: this.addressOf(method, url) };
  });

  readonly #asked = memoize(({ headers, body }: Message, { method, url, address }: Line): Asked => {
    const { redactor, number: key } = this.#keys([...new Set(keysIn(headers))]);
    const question = this.#text(redactor, body);
    this.takenOut.noteQuery(url);
    return {
      ...(key !== undefined && { key }),
      redactor,
      resource: address?.resource ? redactor.text(address.resource) : null,
      question,
      request: {
        method,
        url: withoutQueryValues(redactor.text(url)),
        headers: this.#cleaned(redactor, headers).headers,
        body: question.body,
      },
    };
  });

  readonly #text = memoizePair((redactor: Redactor, body: RawBody): Text => this.#texts.read(body.text, redactor));

  readonly #cleaned = memoizePair((redactor: Redactor, headers: Readonly<Record<string, string>>) => {
    for (const name in headers) if (!isShown(name)) this.takenOut.note(name, headers[name] ?? '');
    return cleaned(headers, redactor);
  });

  /** Undefined where the body was not recorded to its end. */
  #answered(raw: NonNullable<Raw['response']>, { clean, body }: Text, redactor: Redactor): Response | undefined {
    if (isLost(raw, body)) return undefined;
    const { headers, hadKey } = this.#cleaned(redactor, raw.headers);
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
