import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
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

// The bodies of a run's answers, in bounded memory. Equal large ones are stored once.

/** Estimated bytes of a value, without the characters of texts. */
const valueBytes = 48;
const letterBytes = 2;

const MB = 1024 * 1024;
/** Smaller answers are always kept: there is room for all that a run gets. */
const smallBytes = 64 * 1024;
/** An empty object takes thirty times as much memory as its text. */
const mostValues = 500_000;

export class BodyCache {
  readonly #mostBytes: number;
  #bytes = 0;
  /** By the digest of their text. */
  readonly #large = new Map<string, Body>();

  constructor(mostBytes = 256 * MB) {
    this.#mostBytes = mostBytes;
  }

  /** The body to store. Throws a TransportError if there is no room for it. */
  body(text: string, bytes: number): Body {
    if (bytes < smallBytes) return parseBody(text, bytes);
    const digest = createHash('sha256').update(text).digest('hex');
    const known = this.#large.get(digest);
    if (known) return known;
    const values = valuesIn(text);
    if (values > mostValues)
      throw new TransportError('too-large', `The body has more than ${mostValues} values; it was not judged.`);
    const taken = values * valueBytes + text.length * letterBytes;
    if (this.#bytes + taken > this.#mostBytes)
      throw new TransportError(
        'too-large',
        `The answers of the run take more than ${this.#mostBytes / MB} MB of memory; this one was not stored.`,
      );
    this.#bytes += taken;
    const body = parseBody(text, bytes);
    this.#large.set(digest, body);
    return body;
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
