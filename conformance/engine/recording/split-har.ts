import {
  afterBlanks,
  afterText,
  backslash,
  closeBrace,
  closeBracket,
  closing,
  comma,
  openBrace,
  openBracket,
  quote,
} from './json-bytes.js';
import { type Item, Misplaced, type Splitter, Unfinished } from './splitter.js';

/** How deep the members of `log` stand. */
const inLog = 2;

/**
 * HAR: the items of `log.entries`, or of a list that is all there is. What stands around them has to be balanced, and is not parsed. Another HAR may follow,
 * as `cat *.har` writes them.
 */
export class HarSplitter extends Unfinished implements Splitter {
  readonly unit = 'entry';
  #phase: 'head' | 'entries' | 'tail' = 'head';
  /** The root is the list itself. */
  readonly #isList: boolean;
  #archives = 0;
  #entries = 0;
  #afterItem = false;

  constructor(isList = false) {
    super();
    this.#isList = isList;
  }

  protected get next(): number {
    return this.#entries + 1;
  }

  end(): Item[] {
    const { items, left } = this.rest();
    if (this.#phase === 'head' && this.#archives === 0) throw new Misplaced(0, 'has no log.entries, as a HAR has.');
    if (this.#phase !== 'head' || left.length > 0)
      throw new Misplaced(
        0,
        `does not end as a HAR does: ${this.#isList ? ']' : ']}}'} comes after the last entry, and no more (complete entries: ${this.#entries}).`,
      );
    return items;
  }

  protected cut(data: Buffer) {
    const items: Item[] = [];
    let place = 0;
    for (let next = 0; next !== -1; ) {
      place = afterBlanks(data, next);
      if (place === data.length) break;
      next = this.#next(data, place, items);
    }
    return { items, taken: place };
  }

  /** Where what begins here has ended, or -1. */
  #next(data: Buffer, place: number, items: Item[]): number {
    if (this.#phase === 'head') {
      const begun = this.#isList ? listAt(data, place) : entriesIn(data, place);
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
      this.#phase = this.#isList ? 'head' : 'tail';
      this.#afterItem = false;
      this.#archives += 1;
      return place + 1;
    }
    if (this.#afterItem ? byte !== comma : byte === comma || byte === closeBrace)
      throw new Misplaced(this.next, `is not JSON: ${this.#afterItem ? 'a comma' : 'an object'} should begin it.`);
    if (byte === comma) {
      this.#afterItem = false;
      return place + 1;
    }
    const end = afterValue(data, place);
    if (end === -1) return -1;
    this.#entries += 1;
    this.#afterItem = true;
    items.push({ bytes: data.subarray(place, end), number: this.#entries });
    return end;
  }
}

function listAt(data: Buffer, place: number): number {
  if (data[place] !== openBracket) throw new Misplaced(0, 'has something behind the list of its exchanges.');
  return place + 1;
}

/** Where a value is over that begins at this place; -1 where that is not there yet. */
function afterValue(data: Buffer, place: number): number {
  const byte = data[place];
  if (byte === openBrace || byte === openBracket) return closing(data, place + 1, 1);
  if (byte === quote) {
    const end = afterText(data, place);
    return end <= data.length && data[end - 1] === quote ? end : -1;
  }
  const rest = data.subarray(place).findIndex((one) => one === comma || one === closeBracket);
  return rest === -1 ? -1 : place + rest;
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
