import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { isFields } from '../outcome/read.js';
import type { Body } from '../vocabulary.js';
import { TransportError } from './transport.js';

/** Decodes and parses bodies. */

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Some servers send `deflate` without the zlib header. */
const inflateEither: Unpack = (bytes, options) => {
  const [first = 0, second = 0] = bytes;
  const hasHeader = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return (hasHeader ? inflateSync : inflateRawSync)(bytes, options);
};

const unpackers = new Map<string, Unpack>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
]);

/** The codings in the order in which they were applied. */
const codingsIn = (encoding = ''): string[] =>
  (encoding.toLowerCase().match(/[^\s,]+/g) ?? []).filter((one) => one !== 'identity');

export const isEncoded = (encoding: string | undefined): boolean => codingsIn(encoding).length > 0;

/** A body that cannot be decoded: too large, in an unknown coding, or not in that coding. */
export interface UndecodableBody {
  readonly coding: string;
  readonly why: 'too-large' | 'unknown' | 'unreadable';
}

/** The decoded body, up to `maxOutputLength` bytes. Some gateways encode twice; the last coding is removed first. */
export function decodeBody(
  packed: Uint8Array,
  encoding: string | undefined,
  maxOutputLength: number,
): Uint8Array | UndecodableBody {
  let bytes = packed;
  for (const coding of codingsIn(encoding).reverse()) {
    if (bytes.length === 0) break;
    const unpack = unpackers.get(coding);
    // Not a coding, such as `none` or `utf-8`. Callers ignore it.
    if (!unpack && isUtf8(bytes)) continue;
    if (!unpack) return { coding, why: 'unknown' };
    try {
      bytes = unpack(bytes, { maxOutputLength });
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return { coding, why: isTooLarge ? 'too-large' : 'unreadable' };
    }
  }
  return bytes;
}

const shownText = 2000;
/** Deeper values are cut off, so that recursive code does not overflow the stack. */
const deepest = 100;

/** Parses a body. An empty text is no body. */
export function parseBody(text: string, bytes = Buffer.byteLength(text)): Body {
  if (text.trim() === '') return { kind: 'none' };
  try {
    const value: unknown = JSON.parse(text);
    truncate(value);
    return { kind: 'json', value, bytes };
  } catch (error) {
    const shown = text.length > shownText ? `${text.slice(0, shownText)}…` : text;
    const why = text.startsWith('\ufeff')
      ? 'It begins with a byte order mark.'
      : (error as Error).message.slice(0, 200);
    return { kind: 'not-json', text: shown, error: why, bytes };
  }
}

/** Longer bodies are shortened in reports. */
const mostShown = 256 * 1024;

/** A body as a report shows it. Of a long one, the beginning and a digest by which equal bodies are recognised. */
export function bodyExcerpt(body: Body): Body {
  if (body.kind !== 'json' || body.bytes <= mostShown) return body;
  const text = JSON.stringify(body.value);
  const digest = createHash('sha256').update(text).digest('hex');
  const error = `The whole body was judged; the report shows its beginning. SHA-256: ${digest}`;
  return { kind: 'not-json', text: `${text.slice(0, shownText)}…`, error, bytes: body.bytes };
}

type Parts = Record<string | number, unknown>;

/** Cuts in place, and does not recurse deeper than that. */
export function truncate(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  // `for…in` over a long list would cost more than the list itself.
  if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) cutPart(value as unknown as Parts, at, depth);
  else for (const name in value) cutPart(value as Parts, name, depth);
}

function cutPart(parts: Parts, name: string | number, depth: number): void {
  const part = parts[name];
  if (typeof part !== 'object' || part === null) return;
  if (depth < deepest) truncate(part, depth + 1);
  else parts[name] = '…';
}

// The bodies of a run's answers, in bounded memory. Equal parts of large ones are stored once.

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
