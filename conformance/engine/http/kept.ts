import type { Body } from '../vocabulary.js';
import { parseBody } from './body.js';
import { shared } from './share-equal-parts.js';
import { TransportError } from './transport.js';

const MB = 1024 * 1024;
/** Answers that are always kept: there is room for all that a run asks for. */
const smallBytes = 64 * 1024;
/** An empty object takes thirty times its text when it is read. */
const mostValues = 500_000;

/** The bodies of a run's answers: what equal ones have in common is kept once, and all of it has a bound. */
export class Kept {
  readonly #mostBytes: number;
  #bytes = 0;
  /** The last answer at each URL, and at each of its kind. */
  readonly #last = new Map<string, unknown>();

  constructor(mostBytes = 256 * MB) {
    this.#mostBytes = mostBytes;
  }

  /** A body as it is kept. Throws a TransportError where there is no room for it. */
  body(text: string, bytes: number, url: string): Body {
    if (bytes < smallBytes) return parseBody(text, bytes);
    if (valuesIn(text) > mostValues)
      throw new TransportError('too-large', `The body has more than ${mostValues} values; it was not judged.`);
    const body = parseBody(text, bytes);
    return body.kind === 'json' ? { ...body, value: this.#shared(body.value, url) } : body;
  }

  #shared(read: unknown, url: string): unknown {
    const kind = url.replace(/[\da-f-]{36}/i, '');
    const taken = { bytes: 0 };
    const value = shared(read, this.#last.get(url) ?? this.#last.get(kind), taken);
    if (this.#bytes + taken.bytes > this.#mostBytes)
      throw new TransportError(
        'too-large',
        `The answers of the run take more than ${this.#mostBytes / MB} MB when they are read; this one was not kept.`,
      );
    this.#bytes += taken.bytes;
    for (const name of [url, kind]) this.#last.set(name, value);
    return value;
  }
}

/** How many values a JSON text has: the first of each list and object, and what follows a comma. */
function valuesIn(text: string): number {
  let values = 1;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') isText = !isText;
    else if (isText) at += letter === '\\' ? 1 : 0;
    else if (letter === ',' || ((letter === '[' || letter === '{') && !/[\]}]/.test(text[at + 1] ?? ''))) values += 1;
  }
  return values;
}
