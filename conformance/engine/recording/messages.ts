import type { HandedPart } from './course.js';

/** Items of a recording: their bytes, one after the other, and of each item six numbers, before those of its parts. */
export interface Batch {
  readonly kind: 'batch';
  /** The number of the room that the bytes are in. */
  readonly room: number;
  /**
   * The room itself, where it is a new one. Shared, not moved: a thread that has given one buffer away reads all others more
   * slowly. Sent once: V8 collects garbage for each that comes, as if it took more memory.
   */
  readonly bytes?: SharedArrayBuffer;
  readonly places: Uint32Array;
}

/**
 * Of each item: the number of its exchange, of its source and of the item in that; where its bytes begin and end; how many of
 * its parts are told. Of each part: which it is, where it begins and is over in its item, its number if it is known, or 0.
 */
export const [perItem, perPart] = [6, 4];

export type ToThread =
  | Batch
  /** There is no more to come; when the last of all was sent. */
  | { readonly kind: 'end'; readonly latest: number };

export type FromThread =
  /** The bytes in this room may be written over. */
  | { readonly kind: 'taken'; readonly room: number; readonly latest: number }
  | {
      readonly kind: 'misplaced';
      readonly id: number;
      readonly source: number;
      readonly number: number;
      readonly message: string;
    }
  | { readonly kind: 'part'; readonly part: HandedPart };
