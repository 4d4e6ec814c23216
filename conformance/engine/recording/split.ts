import { afterBlanks, closing, openBracket } from './json-bytes.js';
import { HarSplitter } from './split-har.js';
import { type Item, itemLimitBytes, Misplaced, type Splitter, tooLarge } from './splitter.js';

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
const openBrace = 0x7b;

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
