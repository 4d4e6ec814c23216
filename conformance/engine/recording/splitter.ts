/** The JSON text of one exchange, and where it stands. */
export interface Item {
  readonly bytes: Buffer;
  /** Counted from 1. */
  readonly number: number;
}

/**
 * Cuts bytes into those of exchanges without parsing them: a recording may be larger than memory, and no streaming
 * parser comes near JSON.parse, to which they are left. Throws a `Misplaced` where the bytes are no recording.
 */
export interface Splitter {
  /** What the numbers of its items count. */
  readonly unit: 'entry' | 'line';
  push(chunk: Buffer): Item[];
  /** There are no more bytes. */
  end(): Item[];
}

/** What is wrong at an item of a recording; 0 where it is the whole of it. */
export class Misplaced extends Error {
  readonly number: number;
  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}

/** Larger than any body worth recording: what has no end is not read to it. */
export const itemLimitBytes = 256 * 1024 * 1024;
export const tooLarge = `is larger than ${itemLimitBytes / 1024 / 1024} MB.`;

/**
 * Keeps what is unfinished until there is twice as much of it: so a large item costs no more than a small one. `cut` gives what
 * is complete, and how many bytes that took.
 */
export abstract class Unfinished {
  #waiting: Buffer[] = [];
  #length = 0;
  #enough = 0;

  /** The number of the item that is not complete. */
  protected abstract readonly next: number;
  protected abstract cut(data: Buffer): { readonly items: Item[]; readonly taken: number };

  push(chunk: Buffer): Item[] {
    this.#waiting.push(chunk);
    this.#length += chunk.length;
    if (this.#length < Math.min(this.#enough, itemLimitBytes)) return [];
    const { items } = this.rest();
    if (this.#length > itemLimitBytes) throw new Misplaced(this.next, tooLarge);
    return items;
  }

  /** What is complete by now, and what is not. */
  protected rest(): { readonly items: Item[]; readonly left: Buffer } {
    const data = Buffer.concat(this.#waiting);
    const { items, taken } = this.cut(data);
    const left = data.subarray(taken);
    this.#waiting = [left];
    this.#length = left.length;
    this.#enough = left.length * 2;
    return { items, left };
  }
}
