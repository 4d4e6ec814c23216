import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { Body } from '../vocabulary.js';

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
