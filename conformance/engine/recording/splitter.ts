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
