import type { Exchange } from '../vocabulary.js';

/**
 * Answers to one question that was asked again and again, in order. Of equal answers in a row the first and the last are
 * kept: whatever an answer between them tells about those before and after it, one of these two tells as well, and what
 * it tells by itself has been judged. So an execution that is polled for hours takes no more room than its changes do.
 */
export class Polls {
  readonly #kept: Exchange[] = [];
  #latest = '';
  /** The last two that are kept have the same answer. */
  #repeats = false;

  get kept(): readonly Exchange[] {
    return this.#kept;
  }

  /** `answer` is the body as it was written. Tells whether there is one more to keep. */
  add(exchange: Exchange, answer: string): boolean {
    const last = this.#kept.at(-1);
    const isSame =
      last?.response?.status === exchange.response?.status && answer === this.#latest && inTurn(last, exchange);
    if (isSame && this.#repeats) {
      this.#kept[this.#kept.length - 1] = exchange;
      return false;
    }
    this.#repeats = isSame;
    this.#latest = answer;
    this.#kept.push(exchange);
    return true;
  }

  /** Forgets all but the last. */
  shorten(): void {
    this.#kept.splice(0, this.#kept.length - 1);
    this.#repeats = false;
  }
}

/** Answers to questions that were asked at the same time have no order. */
const inTurn = (earlier: Exchange | undefined, later: Exchange): boolean =>
  earlier !== undefined && earlier.at + earlier.durationMs <= later.at;
