/** Bodies that were packed on their way, as Content-Encoding says. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

const mostBytes = 64 * 1024 * 1024;
const unpackers: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: mostBytes }),
  'x-gzip': (bytes) => gunzipSync(bytes, { maxOutputLength: mostBytes }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: mostBytes }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: mostBytes }),
};

/** What was done to a body, in turn. */
const codingsIn = (encoding: string): string[] =>
  encoding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity');

export const isPacked = (encoding: string | undefined): boolean =>
  encoding !== undefined && codingsIn(encoding).length > 0;

/** What was packed; `unknown` where nobody here can unpack it, `unreadable` where it is packed in no such way. */
export function unpacked(packed: Uint8Array, encoding: string): Uint8Array | 'unknown' | 'unreadable' {
  let bytes = packed;
  for (const coding of codingsIn(encoding).reverse()) {
    if (bytes.length === 0) continue;
    const unpack = Object.hasOwn(unpackers, coding) ? unpackers[coding] : undefined;
    if (!unpack) return 'unknown';
    try {
      bytes = unpack(bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'unknown' : 'unreadable';
    }
  }
  return bytes;
}
