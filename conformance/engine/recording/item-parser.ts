import { type Fields, isFields } from '../outcome/read.js';
import { KnownParts, request } from './known-parts.js';
import { cutObject, type Part, partNames } from './parts.js';
import type { Item } from './splitter.js';

/** Stands for a part where what is around it is parsed: nobody writes it, least of all in the place of a part. */
const token = -0;

/**
 * Parses items of a recording, as `JSON.parse` does. A part that was there before, byte for byte, is not parsed again, but the
 * same object: by this whoever looks at it is spared the same work.
 */
export class ItemParser {
  readonly #known = new KnownParts();

  parse({ bytes, parts = this.#partsOf(bytes) }: Item): unknown {
    if (parts.length === 0) return JSON.parse(bytes.toString());
    try {
      return this.#parsed(bytes, parts, 0, bytes.length);
    } catch {
      // What is wrong is told by its place in the whole.
      return JSON.parse(bytes.toString());
    }
  }

  #partsOf(bytes: Buffer): readonly Part[] {
    const parts: Part[] = [];
    return cutObject(bytes, 0, parts, this.#known) === -1 ? [] : parts;
  }

  #parsed(bytes: Buffer, parts: readonly Part[], from: number, to: number): Fields {
    let text = '';
    let at = from;
    const own: Part[] = [];
    for (const part of parts) {
      if (part.from <= from || part.from < at || part.from >= to) continue;
      text += `${bytes.toString('utf8', at, part.from)}-0`;
      at = part.to;
      own.push(part);
    }
    const value: Fields = JSON.parse(text + bytes.toString('utf8', at, to));
    // Of two that are called the same the last one counts.
    for (const part of own.reverse()) {
      const made = this.#made(bytes, parts, part);
      const [outer, name] = partNames[part.which];
      const owner = outer === 'response' ? value.response : value;
      if (isFields(owner) && Object.is(owner[name], token)) Object.assign(owner, { [name]: made });
    }
    return value;
  }

  #made(bytes: Buffer, parts: readonly Part[], { which, from, to, known }: Part): Fields {
    if (known?.made) return known.made;
    const made =
      which === request ? this.#parsed(bytes, parts, from, to) : JSON.parse(bytes.toString('utf8', from, to));
    if (known) known.made = made;
    return made;
  }
}
