import { isFields } from '../outcome/read.js';
import type { Body } from '../vocabulary.js';
import { parseBody } from './body.js';
import { TransportError } from './transport.js';

/** The bodies of a run's answers, in bounded memory. Equal parts of large ones are stored once. */

/** Estimated bytes of a value, without the characters of texts. */
const valueBytes = 48;
const letterBytes = 2;

/** Replaces parts of a JSON value by equal parts of a known one. Adds the bytes of what is new to `taken`. */
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

/** Returns whether the fields equal the known ones, in the same order. */
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

/** The same for a list. Asking a long list for its keys would cost more than the list itself. */
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
/** Smaller answers are always kept: there is room for all that a run gets. */
const smallBytes = 64 * 1024;
/** An empty object takes thirty times as much memory as its text. */
const mostValues = 500_000;

export class BodyCache {
  readonly #mostBytes: number;
  #bytes = 0;
  /** The last answer for each URL, and for each URL without its id. */
  readonly #last = new Map<string, unknown>();

  constructor(mostBytes = 256 * MB) {
    this.#mostBytes = mostBytes;
  }

  /** The body to store. Throws a TransportError if there is no room for it. */
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
        `The answers of the run take more than ${this.#mostBytes / MB} MB of memory; this one was not stored.`,
      );
    this.#bytes += taken.bytes;
    for (const name of [url, kind]) this.#last.set(name, value);
    return value;
  }
}

/** Counts the values in a JSON text: the first of each list and object, and one after each comma. */
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
