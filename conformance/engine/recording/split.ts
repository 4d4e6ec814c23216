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
 * Finding one's way in the bytes of JSON by its quotes and brackets, without parsing it. Whether it is JSON is not checked.
 * Nothing here reads behind the end of the bytes: to do so once makes all of it three times as slow.
 */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first place from here on that holds no blank. */
export function afterBlanks(data: Buffer, from: number): number {
  const { length } = data;
  let place = from;
  while (place < length && isBlank(data[place])) place += 1;
  return place;
}

/** Where the bracket closes that leads out of this depth; -1 where that is not there yet. */
export function closing(data: Buffer, from: number, within: number): number {
  const { length } = data;
  let depth = within;
  for (let place = from; place < length; place += 1) {
    const byte = data[place];
    if (byte === quote) place = afterText(data, place) - 1;
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return -1;
}

/** Where the text is over whose quote is at this place; behind the end where it is not. */
export function afterText(data: Buffer, opening: number): number {
  const { length } = data;
  let place = opening + 1;
  while (place < length) {
    const byte = data[place];
    if (byte === quote) break;
    place += byte === backslash ? 2 : 1;
  }
  return place + 1;
}

/** How deep the members of `log` stand. */
const inLog = 2;

/**
 * HAR: the items of `log.entries`, or of a list that is all there is. What stands around them has to be balanced, and is not parsed. Another HAR may follow,
 * as `cat *.har` writes them.
 */
export class HarSplitter implements Splitter {
  readonly unit = 'entry';
  #phase: 'head' | 'entries' | 'tail' = 'head';
  /** The root is the list itself. */
  readonly #isList: boolean;
  #waiting: Buffer[] = [];
  #length = 0;
  /** What is unfinished is looked at again when there is twice as much of it: so a large item costs no more. */
  #enough = 0;
  #archives = 0;
  #entries = 0;
  #afterItem = false;

  constructor(isList = false) {
    this.#isList = isList;
  }

  push(chunk: Buffer): Item[] {
    if (this.#length > itemLimitBytes) throw new Misplaced(this.#entries + 1, tooLarge);
    this.#waiting.push(chunk);
    this.#length += chunk.length;
    return this.#length < this.#enough ? [] : this.#cut();
  }

  end(): Item[] {
    const items = this.#cut();
    if (this.#phase === 'head' && this.#archives === 0) throw new Misplaced(0, 'has no log.entries, as a HAR has.');
    if (this.#phase !== 'head' || this.#length > 0)
      throw new Misplaced(
        0,
        `does not end as a HAR does: ${this.#isList ? ']' : ']}}'} comes after the last entry, and no more (complete entries: ${this.#entries}).`,
      );
    return items;
  }

  #cut(): Item[] {
    const data = Buffer.concat(this.#waiting);
    const items: Item[] = [];
    let place = 0;
    for (let next = 0; next !== -1; ) {
      place = afterBlanks(data, next);
      if (place === data.length) break;
      next = this.#next(data, place, items);
    }
    this.#waiting = [data.subarray(place)];
    this.#length = data.length - place;
    this.#enough = this.#length * 2;
    return items;
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
      throw new Misplaced(
        this.#entries + 1,
        `is not JSON: ${this.#afterItem ? 'a comma' : 'an object'} should begin it.`,
      );
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

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** By these names an exchange is known, as a HAR or a line of this suite has it. */
const ofExchange =
  /^\s*\{\s*"(?:request|response|startedDateTime|time|at|id|operation|resource|elsewhere|durationMs|_\w+)"\s*:/;
/** HAR 1.2: the root has one member; other tools put theirs before it. */
const ofArchive = /^\s*\{(?:.*?[{,])?\s*"log"\s*:\s*\{/s;
const tellingBytes = 1024;

/** Tells a HAR, a list of its entries, and lines, by how they begin. */
export class AnySplitter implements Splitter {
  #head: Buffer = Buffer.alloc(0);
  #chosen: Splitter | undefined;

  get unit(): Splitter['unit'] {
    return this.#chosen?.unit ?? 'line';
  }

  push(chunk: Buffer): Item[] {
    if (this.#chosen) return this.#chosen.push(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    return this.#head.length < tellingBytes ? [] : this.#begin().push(this.#head);
  }

  end(): Item[] {
    if (this.#chosen) return this.#chosen.end();
    const chosen = this.#begin();
    return [...chosen.push(this.#head), ...chosen.end()];
  }

  #begin(): Splitter {
    if (this.#head.subarray(0, byteOrderMark.length).equals(byteOrderMark))
      this.#head = this.#head.subarray(byteOrderMark.length);
    const beginning = this.#head.toString('latin1', 0, tellingBytes);
    const isList = this.#head[afterBlanks(this.#head, 0)] === openBracket;
    const isArchive = isList || (ofArchive.test(beginning) && !ofExchange.test(beginning));
    this.#chosen = isArchive ? new HarSplitter(isList) : new LineSplitter();
    return this.#chosen;
  }
}

const newline = 0x0a;

/** NDJSON: an item a line. Empty lines are left out. An object that was laid out over several lines is one item. */
class LineSplitter implements Splitter {
  readonly unit = 'line';
  #waiting: Buffer = Buffer.alloc(0);
  #line = 0;

  push(chunk: Buffer): Item[] {
    // The last line of what was there may have waited for the next one.
    const searched = Math.max(0, this.#waiting.length - 1);
    const bytes = Buffer.concat([this.#waiting, chunk]);
    const items: Item[] = [];
    let from = 0;
    for (let to = bytes.indexOf(newline, searched); to !== -1; to = bytes.indexOf(newline, to + 1)) {
      // The next line is needed to tell whether this one is all of it.
      if (to + 1 === bytes.length) break;
      if (!isOver(bytes, from, to)) continue;
      items.push(...this.#item(bytes.subarray(from, to)));
      from = to + 1;
    }
    this.#waiting = bytes.subarray(from);
    if (this.#waiting.length > itemLimitBytes) throw new Misplaced(this.#line + 1, tooLarge);
    return items;
  }

  end(): Item[] {
    const bytes = this.#waiting;
    return bytes.length > 0 ? this.#item(bytes.at(-1) === newline ? bytes.subarray(0, -1) : bytes) : [];
  }

  /** It is called by its first line. */
  #item(bytes: Buffer): Item[] {
    const number = this.#line + 1;
    this.#line += 1 + bytes.reduce((lines, byte) => lines + (byte === newline ? 1 : 0), 0);
    return afterBlanks(bytes, 0) === bytes.length ? [] : [{ bytes, number }];
  }
}

/** Whether what begins at `from` ends with the line that ends at `to`: its braces close there, or the next line begins anew. */
function isOver(bytes: Buffer, from: number, to: number): boolean {
  const begin = afterBlanks(bytes, from);
  if (begin >= to || bytes[begin] !== openBrace) return true;
  return bytes[to + 1] === openBrace || closing(bytes.subarray(0, to), begin, 0) !== -1;
}
