/** What is kept of the exchanges about one execution or profile. */
import type { Body, Exchange } from '../vocabulary.js';

/** Estimated bytes of an exchange without its bodies. */
const frame = 1000;

export const estimatedBytes = ({ request, response }: Exchange): number =>
  frame + bytes(request.body) + (response ? bytes(response.body) : 0);

const bytes = (body: Body): number => (body.kind === 'none' ? 0 : body.bytes);

/** Recorders write exchanges when they end, and files come in any order. */
export const inOrder = (exchanges: readonly Exchange[]): Exchange[] => exchanges.toSorted((a, b) => a.at - b.at);

/**
 * The answers to one polled request, in order. Of equal answers in a row only the first and the last are kept: they
 * show as much about the answers around them as those between, each of which has been judged by itself. So an execution
 * that is polled for hours takes no more memory than its changes do.
 */
export class Polls {
  readonly #kept: Exchange[] = [];
  #latest = '';
  /** Whether the last two that are kept are equal. */
  #repeats = false;

  get kept(): readonly Exchange[] {
    return this.#kept;
  }

  /** `answer` is the body as text. Returns whether one more is kept. */
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

/** Answers to concurrent requests have no order. */
const inTurn = (earlier: Exchange | undefined, later: Exchange): boolean =>
  earlier !== undefined && earlier.at + earlier.durationMs <= later.at;
