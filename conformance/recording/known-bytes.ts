import { Recent } from './recent.js';

const mostBytes = 8 * 1024 * 1024;
/** Longer ones are seldom the same, and there would be room for few. */
const longest = 256 * 1024;

/** What was made of bytes, found again by the same bytes. What was not asked for longest is forgotten. */
export class KnownBytes<Made> {
  readonly #known = new Recent<number, { readonly bytes: Buffer; readonly made: Made }>(
    mostBytes,
    ({ bytes }) => bytes.length,
  );

  find(data: Buffer, from: number, to: number): Made | undefined {
    const known = this.#known.get(digest(data, from, to));
    return known && known.bytes.length === to - from && data.compare(known.bytes, 0, to - from, from, to) === 0
      ? known.made
      : undefined;
  }

  keep(data: Buffer, from: number, to: number, made: Made): void {
    if (to - from > longest) return;
    const bytes = Buffer.allocUnsafe(to - from);
    data.copy(bytes, 0, from, to);
    this.#known.set(digest(data, from, to), { bytes, made });
  }
}

/** FNV-1a, of every eighth byte: what differs in others only is told by all of them, and takes the place of the other. */
function digest(data: Buffer, from: number, to: number): number {
  let hash = to - from;
  for (let at = from; at < to; at += 8) hash = Math.imul(hash ^ (data[at] as number), 0x01000193);
  return hash;
}
