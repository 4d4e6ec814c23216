/** How bodies are packed on their way, as Content-Encoding says. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Some servers call deflate what has no header of zlib. */
const inflateEither: Unpack = (bytes, options) => {
  const [first = 0, second = 0] = bytes;
  const hasHeader = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return (hasHeader ? inflateSync : inflateRawSync)(bytes, options);
};

export const unpackers = new Map<string, Unpack>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
]);

/** What was done to a body, in turn; by some gateways twice. */
export const codingsIn = (encoding = ''): string[] =>
  (encoding.toLowerCase().match(/[^\s,]+/g) ?? []).filter((one) => one !== 'identity');
