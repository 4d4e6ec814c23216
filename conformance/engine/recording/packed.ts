/** Bodies that were packed on their way, as Content-Encoding says. */
import { codingsIn, unpackers } from '../http/codings.js';

const mostBytes = 64 * 1024 * 1024;

export const isPacked = (encoding: string | undefined): boolean => codingsIn(encoding).length > 0;

/** What was packed; `unknown` where nobody here can unpack it, `unreadable` where it is packed in no such way. */
export function unpacked(packed: Uint8Array, encoding: string): Uint8Array | 'unknown' | 'unreadable' {
  let bytes = packed;
  for (const coding of codingsIn(encoding).reverse()) {
    if (bytes.length === 0) continue;
    const unpack = unpackers.get(coding);
    if (!unpack) return 'unknown';
    try {
      bytes = unpack(bytes, { maxOutputLength: mostBytes });
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'unknown' : 'unreadable';
    }
  }
  return bytes;
}
