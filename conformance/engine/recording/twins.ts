import { createHash } from 'node:crypto';
import { memoize, Recent } from '../memoize.js';
import type { Fields } from '../outcome/read.js';
import { traitsOf } from '../outcome/traits.js';
import type { Exchange } from '../vocabulary.js';
import type { Text } from './entry.js';

/** So many items after an exchange it is known again: an export that was merged with itself may be as long. */
const usually = 20_000;

/** Tells exchanges that were read before: exports are merged twice, and two recorders write the same. */
export class Twins {
  readonly #window: number;
  /** The numbers of exchanges by what they say. */
  readonly #known: Recent<string, number>;

  constructor(window = usually) {
    this.#window = window;
    this.#known = new Recent(4 * window, () => 1);
  }

  /** Takes note of an exchange, that was read from these fields. Tells whether one that says the same was there before. */
  isTwin(exchange: Exchange, question: Text, answer: Text, fields: Fields): boolean {
    const { id, at } = exchange;
    // Where clocks tell seconds only, a setting may have been changed, changed back, and changed again.
    if (traitsOf(exchange)?.effect === 'changes' && at % 1000 === 0) return false;
    const name = `${labelOf(fields)} ${nameOf(exchange)} ${digestOf(question)} ${digestOf(answer)}`;
    const earlier = this.#known.get(name);
    if (earlier !== undefined && id - earlier <= this.#window) return true;
    this.#known.set(name, id);
    return false;
  }
}

/** A recorder that numbers exchanges tells those apart that say the same. */
function labelOf({ _id, id = _id, elsewhere }: Fields): string {
  const number = typeof id === 'number' || typeof id === 'string' ? id : '';
  return elsewhere === true ? `${number} elsewhere` : `${number}`;
}

function nameOf({ at, durationMs, request, response, failure }: Exchange): string {
  const answered = response ? response.status : failure?.message;
  return `${at} ${durationMs} ${answered} ${request.method} ${request.url}`;
}

const digestOf = memoize(({ clean }: Text): string => createHash('sha1').update(clean).digest('base64'));
