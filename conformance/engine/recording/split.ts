import { Held } from './held.js';
import { afterBlanks } from './json-bytes.js';
import { KnownParts } from './known-parts.js';
import { HarSplitter } from './split-har.js';
import { type Item, itemLimitBytes, Misplaced, type Splitter, tooLarge } from './splitter.js';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** HAR 1.2: the root has one member. */
const harStart = /^\s*\{\s*"log"\s*:/;
const tellingBytes = 1024;

/** Tells a HAR from lines by how it begins. */
export class AnySplitter implements Splitter {
  #head: Buffer = Buffer.alloc(0);
  readonly #known: KnownParts;
  #chosen: Splitter | undefined;

  /** `known`: what was there in any of the sources. */
  constructor(known = new KnownParts()) {
    this.#known = known;
  }

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
    const isHar = harStart.test(this.#head.toString('latin1', 0, tellingBytes));
    this.#chosen = isHar ? new HarSplitter(this.#known) : new LineSplitter();
    return this.#chosen;
  }
}

const newline = 0x0a;

/** NDJSON: an item a line. Empty lines are left out. */
class LineSplitter implements Splitter {
  readonly unit = 'line';
  readonly #waiting = new Held();
  #line = 0;

  push(chunk: Buffer): Item[] {
    const searched = this.#waiting.length;
    this.#waiting.add(chunk);
    const { bytes } = this.#waiting;
    const items: Item[] = [];
    let from = 0;
    for (let to = bytes.indexOf(newline, searched); to !== -1; to = bytes.indexOf(newline, from)) {
      items.push(...this.#item(bytes.subarray(from, to)));
      from = to + 1;
    }
    this.#waiting.drop(from);
    if (this.#waiting.length > itemLimitBytes) throw new Misplaced(this.#line + 1, tooLarge);
    return items;
  }

  end(): Item[] {
    return this.#waiting.length > 0 ? this.#item(this.#waiting.bytes) : [];
  }

  #item(bytes: Buffer): Item[] {
    this.#line += 1;
    return afterBlanks(bytes, 0) === bytes.length ? [] : [{ bytes, number: this.#line }];
  }
}
