import { shared } from '../evidence/shared.js';
import type { Body } from '../vocabulary.js';
import { TransportError } from './transport.js';

const MB = 1024 * 1024;
/** Answers that are always kept: there is room for all that a run asks for. */
const smallBytes = 64 * 1024;

/** The bodies of a run's answers: what equal ones have in common is kept once, and all of it has a bound. */
export class Kept {
  readonly #mostBytes: number;
  #bytes = 0;
  /** The last answer at each URL, and at each of its kind. */
  readonly #last = new Map<string, unknown>();

  constructor(mostBytes = 384 * MB) {
    this.#mostBytes = mostBytes;
  }

  /** A body as it is kept. Throws a TransportError where there is no room for it. */
  body(body: Body, url: string): Body {
    if (body.kind !== 'json' || body.bytes < smallBytes) return body;
    const kind = url.replace(/[\da-f-]{36}/i, '');
    const { value, bytes } = shared(body.value, this.#last.get(url) ?? this.#last.get(kind));
    if (this.#bytes + bytes > this.#mostBytes)
      throw new TransportError(
        'too-large',
        `The answers of the run take more than ${this.#mostBytes / MB} MB when they are read; this one was not kept.`,
      );
    this.#bytes += bytes;
    for (const name of [url, kind]) this.#last.set(name, value);
    return { ...body, value };
  }
}
