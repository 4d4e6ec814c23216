import { Held } from './held.js';
import {
  afterBlanks,
  backslash,
  closeBrace,
  closeBracket,
  closing,
  comma,
  openBrace,
  openBracket,
  quote,
} from './json-bytes.js';
import type { KnownParts } from './known-parts.js';
import { cutObject, type Part } from './parts.js';
import { type Item, itemLimitBytes, Misplaced, type Splitter, tooLarge } from './splitter.js';

/** How deep the members of `log` stand. */
const inLog = 2;

/**
 * HAR: the items of `log.entries`. What stands around them has to be balanced, and is not parsed. Another HAR may follow,
 * as `cat *.har` writes them.
 */
export class HarSplitter implements Splitter {
  readonly unit = 'entry';
  #phase: 'head' | 'entries' | 'tail' = 'head';
  readonly #waiting = new Held();
  readonly #known: KnownParts;
  /** What is unfinished is looked at again when there is twice as much of it: so a large item costs no more. */
  #enough = 0;
  #archives = 0;
  #entries = 0;
  #afterItem = false;

  constructor(known: KnownParts) {
    this.#known = known;
  }

  push(chunk: Buffer): Item[] {
    if (this.#waiting.length > itemLimitBytes) throw new Misplaced(this.#entries + 1, tooLarge);
    this.#waiting.add(chunk);
    return this.#waiting.length < this.#enough ? [] : this.#cut();
  }

  end(): Item[] {
    const items = this.#cut();
    if (this.#phase === 'head' && this.#archives === 0) throw new Misplaced(0, 'has no log.entries, as a HAR has.');
    if (this.#phase !== 'head' || this.#waiting.length > 0)
      throw new Misplaced(0, `ends in the middle (complete entries: ${this.#entries}).`);
    return items;
  }

  #cut(): Item[] {
    const data = this.#waiting.bytes;
    const items: Item[] = [];
    let place = 0;
    for (let next = 0; next !== -1; ) {
      place = afterBlanks(data, next);
      if (place === data.length) break;
      next = this.#next(data, place, items);
    }
    this.#waiting.drop(place);
    this.#enough = this.#waiting.length * 2;
    return items;
  }

  /** Where what begins here has ended, or -1. */
  #next(data: Buffer, place: number, items: Item[]): number {
    if (this.#phase === 'head') {
      const begun = entriesIn(data, place);
      if (begun !== -1) this.#phase = 'entries';
      return begun;
    }
    if (this.#phase === 'tail') {
      const end = closing(data, place, inLog);
      if (end !== -1) this.#phase = 'head';
      return end;
    }
    const byte = data[place];
    if (byte === closeBracket) {
      this.#phase = 'tail';
      this.#afterItem = false;
      this.#archives += 1;
      return place + 1;
    }
    if (byte !== (this.#afterItem ? comma : openBrace))
      throw new Misplaced(
        this.#entries + 1,
        `is not JSON: ${this.#afterItem ? 'a comma' : 'an object'} should begin it.`,
      );
    if (byte === comma) {
      this.#afterItem = false;
      return place + 1;
    }
    const parts: Part[] = [];
    const end = cutObject(data, place, parts, this.#known);
    if (end === -1) return -1;
    this.#entries += 1;
    this.#afterItem = true;
    items.push({ bytes: data.subarray(place, end), parts, number: this.#entries });
    return end;
  }
}

/** Where the list `entries` in `log` begins; -1 where that is not there yet. Throws where the archive ends without it. */
function entriesIn(data: Buffer, from: number): number {
  const names: string[] = [];
  let depth = 0;
  for (let place = from; place < data.length; place += 1) {
    const byte = data[place];
    if (byte === quote) {
      const begin = place + 1;
      for (place = begin; data[place] !== quote && place < data.length; place += 1)
        if (data[place] === backslash) place += 1;
      if (depth <= inLog) names[depth] = data.toString('utf8', begin, place);
    } else if (byte === openBrace || byte === openBracket) {
      if (byte === openBracket && depth === inLog && names[1] === 'log' && names[inLog] === 'entries') return place + 1;
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth <= 0) throw new Misplaced(0, 'has no log.entries, as a HAR has.');
    }
  }
  return -1;
}
