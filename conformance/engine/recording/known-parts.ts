import type { Fields } from '../outcome/read.js';
import { Recent } from './recent.js';

/** A part whose bytes were there before, or may come again: what is made of it is made once. */
export interface Known {
  readonly number: number;
  /** In bytes. */
  readonly length: number;
  made?: Fields;
}

/** A request, when an execution is polled; the headers of a caller, and of a service; an answer, as a HAR or a line has it. */
export const [request, requestHeaders, responseHeaders, content, body] = [0, 1, 2, 3, 4] as const;
export type Which = 0 | 1 | 2 | 3 | 4;

const mostBytes = 8 * 1024 * 1024;
/** Longer ones are seldom the same, and there would be room for few. */
const longest = 256 * 1024;
/** Longer answers are not kept beside their requests. */
const longestGuessed = 8 * 1024;
/** So many bytes of a request tell what is asked of which execution. */
const beginning = 256;

interface Seen extends Known {
  readonly bytes: Buffer;
  /** Of a request: the headers and the body that it was answered with last. */
  headers?: Seen;
  answer?: Seen;
}

/**
 * Tells parts that were there before, byte for byte. What was not asked for longest is forgotten. Most are guessed before they
 * are cut, and need not be looked at byte by byte: requests by how they begin, answers by what the same request got last.
 */
export class KnownParts {
  readonly #seen = new Recent<number, Seen>(mostBytes, ({ bytes }) => bytes.length);
  readonly #begun = new Recent<number, Seen>(mostBytes / 2, ({ bytes }) => bytes.length);
  #count = 0;
  #latestHeaders: Seen | undefined;
  /** Of the exchange that is cut. */
  #request: Seen | undefined;

  /** The part that begins here, where it is what is to be expected. */
  guess(which: Which, data: Buffer, from: number): Known | undefined {
    if (which === request) {
      const isLong = from + beginning <= data.length;
      this.#request = isLong ? here(this.#begun.get(digest(data, from, from + beginning, 4)), data, from) : undefined;
      return this.#request;
    }
    if (which === requestHeaders) return here(this.#latestHeaders, data, from);
    return here(which === responseHeaders ? this.#request?.headers : this.#request?.answer, data, from);
  }

  /** The part of these bytes; one that was not there before is known from now on. */
  find(which: Which, data: Buffer, from: number, to: number): Known | undefined {
    if (to - from > longest) return undefined;
    const name = digest(data, from, to, 8);
    const known = this.#seen.get(name);
    const seen =
      known && known.bytes.length === to - from && here(known, data, from) ? known : this.#keep(name, data, from, to);
    this.#expect(which, seen);
    return seen;
  }

  #keep(name: number, data: Buffer, from: number, to: number): Seen {
    const bytes = Buffer.allocUnsafe(to - from);
    data.copy(bytes, 0, from, to);
    this.#count += 1;
    const seen = { number: this.#count, length: bytes.length, bytes };
    this.#seen.set(name, seen);
    return seen;
  }

  #expect(which: Which, seen: Seen): void {
    const { bytes } = seen;
    if (which === request) {
      this.#request = seen;
      if (bytes.length >= beginning) this.#begun.set(digest(bytes, 0, beginning, 4), seen);
    } else if (which === requestHeaders) this.#latestHeaders = seen;
    else if (this.#request && bytes.length <= longestGuessed) {
      if (which === responseHeaders) this.#request.headers = seen;
      else this.#request.answer = seen;
    }
  }
}

/** Parts that another thread tells by their numbers. */
export class PartsByNumber {
  readonly #known = new Recent<number, Known>(mostBytes, ({ length }) => length);

  of(number: number, length: number): Known | undefined {
    if (number === 0) return undefined;
    const known = this.#known.get(number);
    if (known) return known;
    const first = { number, length };
    this.#known.set(number, first);
    return first;
  }
}

/** It, where its bytes are those that stand here. */
function here(seen: Seen | undefined, data: Buffer, from: number): Seen | undefined {
  if (!seen) return undefined;
  const { bytes } = seen;
  const to = from + bytes.length;
  // Most that are another end in another way.
  const mayBe = to <= data.length && data[to - 1] === bytes[bytes.length - 1];
  return mayBe && data.compare(bytes, 0, bytes.length, from, to) === 0 ? seen : undefined;
}

/** FNV-1a, of some of the bytes: what differs in others only is told by all of them, and takes the place of the other. */
function digest(data: Buffer, from: number, to: number, step: number): number {
  let hash = to - from;
  for (let at = from; at < to; at += step) hash = Math.imul(hash ^ (data[at] as number), 0x01000193);
  return hash;
}
