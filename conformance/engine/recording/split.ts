import { afterBlanks, afterText, closeBrace, closeBracket, openBrace, openBracket, quote } from './json-bytes.js';
import { HarSplitter } from './split-har.js';
import { type Item, type Splitter, Unfinished } from './splitter.js';

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
class LineSplitter extends Unfinished implements Splitter {
  readonly unit = 'line';
  /** It is called by its first line. */
  protected next = 1;

  protected cut(data: Buffer) {
    const items: Item[] = [];
    let [from, lines] = [0, 0];
    let isClosedBy: ((to: number) => boolean) | undefined;
    // The next line is needed to tell whether this one is all of it.
    for (let to = data.indexOf(newline); to !== -1 && to + 1 < data.length; to = data.indexOf(newline, to + 1)) {
      lines += 1;
      isClosedBy ??= closer(data, from, to);
      if (data[to + 1] !== openBrace && !isClosedBy(to)) continue;
      items.push(...this.#item(data.subarray(from, to)));
      this.next += lines;
      [from, lines] = [to + 1, 0];
      isClosedBy = undefined;
    }
    return { items, taken: from };
  }

  end(): Item[] {
    const { items, left } = this.rest();
    return [...items, ...this.#item(left.at(-1) === newline ? left.subarray(0, -1) : left)];
  }

  #item(bytes: Buffer): Item[] {
    return afterBlanks(bytes, 0) === bytes.length ? [] : [{ bytes, number: this.next }];
  }
}

/** Whether what begins in a line is over by a place, each of them behind the one before. What is no object is over in its line. */
function closer(data: Buffer, from: number, end: number): (to: number) => boolean {
  let place = from + afterBlanks(data.subarray(from, end), 0);
  let [depth, isOver] = [0, place === end || data[place] !== openBrace];
  return (to) => {
    for (; place < to && !isOver; place += 1) {
      const byte = data[place];
      if (byte === quote) place = afterText(data, place) - 1;
      else if (byte === openBrace || byte === openBracket) depth += 1;
      else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        isOver = depth === 0;
      }
    }
    return isOver;
  };
}
