import { type Fields, isFields } from '../evidence/read.js';
import { KnownBytes } from './known-bytes.js';
import { cutObject, type Parts, partNames, perPart, request } from './parts.js';
import type { Item } from './splitter.js';

/** Stands for a part where what is around it is parsed: nobody writes it, least of all in the place of a part. */
const token = -0;

/**
 * Parses items of a recording, as `JSON.parse` does. A part that was there before, byte for byte, is not parsed again, but the
 * same object: by this whoever looks at it is spared the same work.
 */
export class ItemParser {
  readonly #known = new KnownBytes<Fields>();

  parse({ bytes, parts = partsOf(bytes) }: Item): unknown {
    if (parts.length === 0) return JSON.parse(bytes.toString());
    try {
      return this.#parsed(bytes, parts, 0, bytes.length);
    } catch {
      // What is wrong is told by its place in the whole.
      return JSON.parse(bytes.toString());
    }
  }

  #parsed(bytes: Buffer, parts: Parts, from: number, to: number): Fields {
    let text = '';
    let at = from;
    const own: number[] = [];
    for (let index = 0; index < parts.length; index += perPart) {
      const [, begin = 0, end = 0] = [parts[index], parts[index + 1], parts[index + 2]];
      if (begin <= from || begin < at || begin >= to) continue;
      text += `${bytes.toString('utf8', at, begin)}-0`;
      at = end;
      own.push(index);
    }
    const value: Fields = JSON.parse(text + bytes.toString('utf8', at, to));
    // Of two that are called the same the last one counts.
    for (const index of own.reverse()) {
      const part = this.#part(bytes, parts, index);
      const [outer, name] = partNames[parts[index] ?? 0] ?? [];
      const owner = outer === 'response' ? value.response : value;
      if (name !== undefined && isFields(owner) && Object.is(owner[name], token))
        Object.assign(owner, { [name]: part });
    }
    return value;
  }

  #part(bytes: Buffer, parts: Parts, index: number): Fields {
    const [kind, from = 0, to = 0] = [parts[index], parts[index + 1], parts[index + 2]];
    const known = this.#known.find(bytes, from, to);
    if (known) return known;
    const made = kind === request ? this.#parsed(bytes, parts, from, to) : JSON.parse(bytes.toString('utf8', from, to));
    this.#known.keep(bytes, from, to, made);
    return made;
  }
}

function partsOf(bytes: Buffer): Parts {
  const parts: number[] = [];
  return cutObject(bytes, 0, parts) === -1 ? [] : parts;
}
