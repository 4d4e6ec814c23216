import { isFields } from '../outcome/read.js';
import type { Body } from '../vocabulary.js';
import { parseBody } from './body.js';
import { TransportError } from './transport.js';

/** Equal parts of what was answered are kept once: most of what one reading shows the one before it showed. */

/** About what a value takes beside the letters of texts, in bytes. */
const valueBytes = 48;
const letterBytes = 2;

/**
 * A JSON value of which parts that a known one has are the known one's. How many bytes it takes beside those is added to
 * `taken`.
 */
function shared(value: unknown, known: unknown, taken = { bytes: 0 }): unknown {
  if (value === known) return known;
  if (typeof value === 'string') taken.bytes += value.length * letterBytes;
  const isSame =
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value)
      ? shareItems(value, Array.isArray(known) ? known : undefined, taken)
      : shareFields(value as Record<string, unknown>, isFields(known) ? known : undefined, taken));
  if (isSame) return known;
  taken.bytes += valueBytes;
  return value;
}

type Taken = { bytes: number };

/** Tells whether it says what the known one says, in the same order. */
function shareFields(
  fields: Record<string, unknown>,
  known: Readonly<Record<string, unknown>> | undefined,
  taken: Taken,
): boolean {
  const names = Object.keys(fields);
  const order = known ? Object.keys(known) : [];
  let isSame = known !== undefined && order.length === names.length;
  for (let place = 0; place < names.length; place += 1) {
    const name = names[place] as string;
    const before = known && Object.hasOwn(known, name) ? known[name] : undefined;
    const part = shared(fields[name], before, taken);
    if (part !== fields[name]) fields[name] = part;
    isSame &&= order[place] === name && part === before;
  }
  return isSame;
}

/** As above. A list has no names: to ask for those of a long one takes more than the list. */
function shareItems(items: unknown[], known: readonly unknown[] | undefined, taken: Taken): boolean {
  let isSame = known?.length === items.length;
  for (const [place, item] of items.entries()) {
    const part = shared(item, known?.[place], taken);
    items[place] = part;
    isSame &&= part === known?.[place];
  }
  return isSame;
}

const MB = 1024 * 1024;
/** Answers that are always kept: there is room for all that a run asks for. */
const smallBytes = 64 * 1024;
/** An empty object takes thirty times its text when it is read. */
const mostValues = 500_000;

/** The bodies of a run's answers: what equal ones have in common is kept once, and all of it has a bound. */
export class Kept {
  readonly #mostBytes: number;
  #bytes = 0;
  /** The last answer at each URL, and at each of its kind. */
  readonly #last = new Map<string, unknown>();

  constructor(mostBytes = 256 * MB) {
    this.#mostBytes = mostBytes;
  }

  /** A body as it is kept. Throws a TransportError where there is no room for it. */
  body(text: string, bytes: number, url: string): Body {
    if (bytes < smallBytes) return parseBody(text, bytes);
    if (valuesIn(text) > mostValues)
      throw new TransportError('too-large', `The body has more than ${mostValues} values; it was not judged.`);
    const body = parseBody(text, bytes);
    return body.kind === 'json' ? { ...body, value: this.#shared(body.value, url) } : body;
  }

  #shared(read: unknown, url: string): unknown {
    const kind = url.replace(/[\da-f-]{36}/i, '');
    const taken = { bytes: 0 };
    const value = shared(read, this.#last.get(url) ?? this.#last.get(kind), taken);
    if (this.#bytes + taken.bytes > this.#mostBytes)
      throw new TransportError(
        'too-large',
        `The answers of the run take more than ${this.#mostBytes / MB} MB when they are read; this one was not kept.`,
      );
    this.#bytes += taken.bytes;
    for (const name of [url, kind]) this.#last.set(name, value);
    return value;
  }
}

/** How many values a JSON text has: the first of each list and object, and what follows a comma. */
function valuesIn(text: string): number {
  let values = 1;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') isText = !isText;
    else if (isText) at += letter === '\\' ? 1 : 0;
    else if (letter === ',' || ((letter === '[' || letter === '{') && !/[\]}]/.test(text[at + 1] ?? ''))) values += 1;
  }
  return values;
}
