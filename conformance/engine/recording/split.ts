/**
 * Cuts bytes into those of exchanges by quotes and brackets, without parsing them: a recording may be larger than memory, and
 * no streaming parser comes near JSON.parse, to which they are left. Whether they are JSON is not checked.
 */

/** The JSON text of one exchange, and where it stands. */
export interface Item {
  readonly bytes: Buffer;
  /** Counted from 1. */
  readonly number: number;
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
const itemLimitBytes = 256 * 1024 * 1024;

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** By these names an exchange is known, as a HAR or a line of this suite has it. */
const ofExchange =
  /^\s*\{\s*"(?:request|response|startedDateTime|time|at|id|operation|resource|elsewhere|durationMs|_\w+)"\s*:/;
/** HAR 1.2: the root has one member; other tools put theirs before it. */
const ofArchive = /^\s*\{(?:.*?[{,])?\s*"log"\s*:\s*\{/s;
const tellingBytes = 1024;
/** How deep the members of `log` stand. */
const inLog = 2;
const lacksEntries = 'has no log.entries, as a HAR has.';

/**
 * Of a HAR: the items of `log.entries`, or of a list that is all there is. What stands around them has to be balanced. Another
 * HAR may follow, as `cat *.har` writes them. Of NDJSON: an item a line. Empty lines are left out. An object that was laid out
 * over several lines is one item. Which it is shows how it begins. Throws a `Misplaced` where the bytes are no recording.
 */
export class Splitter {
  #phase: 'start' | 'lines' | 'head' | 'entries' | 'tail' = 'start';
  /** The root is the list itself. */
  #isList = false;
  #waiting: Buffer[] = [];
  #length = 0;
  /** What is unfinished is looked at again when there is twice as much of it: so a large item costs no more. */
  #enough = tellingBytes;
  #archives = 0;
  /** Of entries, how many there were; of lines, the one that comes next. */
  #number = 0;
  #afterItem = false;

  /** What the numbers of items count. */
  get unit(): 'entry' | 'line' {
    return this.#phase === 'start' || this.#phase === 'lines' ? 'line' : 'entry';
  }

  push(chunk: Buffer): Item[] {
    if (this.#length > itemLimitBytes)
      throw new Misplaced(this.#number + 1, `is larger than ${itemLimitBytes / 1024 / 1024} MB.`);
    this.#waiting.push(chunk);
    this.#length += chunk.length;
    return this.#length < this.#enough ? [] : this.#cut(false);
  }

  /** There are no more bytes. */
  end(): Item[] {
    const items = this.#cut(true);
    if (this.#phase === 'lines') return items;
    if (this.#phase === 'head' && this.#archives === 0) throw new Misplaced(0, lacksEntries);
    if (this.#phase !== 'head' || this.#length > 0)
      throw new Misplaced(
        0,
        `does not end as a HAR does: ${this.#isList ? ']' : ']}}'} comes after the last entry, and no more (complete entries: ${this.#number}).`,
      );
    return items;
  }

  #cut(isEnd: boolean): Item[] {
    let data: Buffer = Buffer.concat(this.#waiting);
    if (this.#phase === 'start') data = this.#begin(data);
    const items: Item[] = [];
    let place = 0;
    for (let next = 0; next !== -1; ) {
      place = this.#phase === 'lines' ? next : afterBlanks(data, next);
      if (place === data.length) break;
      next = this.#phase === 'lines' ? this.#line(data, place, isEnd, items) : this.#part(data, place, items);
    }
    this.#waiting = [data.subarray(place)];
    this.#length = data.length - place;
    this.#enough = this.#length * 2;
    return items;
  }

  #begin(all: Buffer): Buffer {
    const isMarked = all.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const data = isMarked ? all.subarray(byteOrderMark.length) : all;
    const beginning = data.toString('latin1', 0, tellingBytes);
    this.#isList = data[afterBlanks(data, 0)] === openBracket;
    const isArchive = this.#isList || (ofArchive.test(beginning) && !ofExchange.test(beginning));
    this.#phase = isArchive ? 'head' : 'lines';
    return data;
  }

  /** Where the item ends that begins with this line, by which it is called; -1 where that is not there yet. */
  #line(data: Buffer, from: number, isEnd: boolean, items: Item[]): number {
    const found = lineEnd(data, from);
    // The next line is needed to tell whether this one is all of it.
    if (!isEnd && (found === -1 || found + 1 === data.length)) return -1;
    const end = found === -1 ? data.length : found;
    const bytes = data.subarray(from, end);
    const number = this.#number + 1;
    this.#number += 1 + bytes.reduce((lines, byte) => lines + (byte === newline ? 1 : 0), 0);
    if (afterBlanks(bytes, 0) < bytes.length) items.push({ bytes, number });
    return Math.min(end + 1, data.length);
  }

  /** Where what begins here has ended, or -1. */
  #part(data: Buffer, place: number, items: Item[]): number {
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
        this.#number + 1,
        `is not JSON: ${this.#afterItem ? 'a comma' : 'an object'} should begin it.`,
      );
    if (byte === comma) {
      this.#afterItem = false;
      return place + 1;
    }
    const end = afterValue(data, place);
    if (end === -1) return -1;
    this.#number += 1;
    this.#afterItem = true;
    items.push({ bytes: data.subarray(place, end), number: this.#number });
    return end;
  }
}

/**
 * The line break that ends what begins at this place, -1 where none does: that of its line; of an object, that behind its last
 * brace, or before a line that begins anew.
 */
function lineEnd(data: Buffer, from: number): number {
  const first = data.indexOf(newline, from);
  const begin = afterBlanks(first === -1 ? data : data.subarray(0, first), from);
  if (begin >= first || data[begin] !== openBrace || data[first + 1] === openBrace) return first;
  const end = closing(data, begin, 0);
  const ends = [end === -1 ? -1 : data.indexOf(newline, end), data.indexOf('\n{', from)].filter((place) => place >= 0);
  return ends.length > 0 ? Math.min(...ends) : -1;
}

function listAt(data: Buffer, place: number): number {
  if (data[place] !== openBracket) throw new Misplaced(0, 'has something behind the list of its exchanges.');
  return place + 1;
}

/** Where the list `entries` in `log` begins; -1 where that is not there yet. Throws where the archive ends without it. */
function entriesIn(data: Buffer, from: number): number {
  const names: string[] = [];
  let depth = 0;
  for (let place = from; place < data.length; place += 1) {
    const byte = data[place];
    if (byte === quote) {
      const end = afterText(data, place);
      if (depth <= inLog) names[depth] = data.toString('utf8', place + 1, end - 1);
      place = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      if (byte === openBracket && depth === inLog && names[1] === 'log' && names[inLog] === 'entries') return place + 1;
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth <= 0) throw new Misplaced(0, lacksEntries);
    }
  }
  return -1;
}

// Nothing below reads behind the end of the bytes: to do so once makes all of it three times as slow.

/** The first place from here on that holds no blank. */
function afterBlanks(data: Buffer, from: number): number {
  const { length } = data;
  let place = from;
  while (place < length && isBlank(data[place])) place += 1;
  return place;
}

const isBlank = (byte: number | undefined) => byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

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

/** Where the bracket closes that leads out of this depth; -1 where that is not there yet. */
function closing(data: Buffer, from: number, within: number): number {
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
function afterText(data: Buffer, opening: number): number {
  const { length } = data;
  let place = opening + 1;
  while (place < length) {
    const byte = data[place];
    if (byte === quote) break;
    place += byte === backslash ? 2 : 1;
  }
  return place + 1;
}
