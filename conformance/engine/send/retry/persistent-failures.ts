import type { OperationId } from '../../contract.js';
import { isLost, isOutsideContract, isPage, outcomeOf } from '../../outcome/outcome.js';
import { status } from '../../outcome/read.js';
import type { Exchange } from '../../vocabulary.js';

/** Answers of an operation that are lost one after the other, and for how long, until it is no accident any more. */
const lasting = 24;
const lastingMs = 15_000;
/** So many requests that are answered alike, whatever they ask, and others are not asked again for it. */
const enough = 3;

/** Knows what comes again and again in place of answers: whoever makes it, to ask once more is in vain. */
export class PersistentFailures {
  /** By operation, how many answers in a row were lost, and since when. */
  readonly #lost = new Map<OperationId, { readonly count: number; readonly since: number }>();
  /** By operation, status and words, how many requests were answered as no contract says while others were heard. */
  readonly #ways = new Map<string, number>();

  /** Takes in an answer: whether it is no accident, since it came again and again to no avail, and nothing else. */
  hears(operation: OperationId, exchange: Exchange, now: number): boolean {
    if (this.isKnown(exchange)) return true;
    if (!isLost(exchange)) {
      this.#lost.delete(operation);
      return false;
    }
    const { count, since } = this.#lost.get(operation) ?? { count: 0, since: exchange.at };
    this.#lost.set(operation, { count: count + 1, since });
    return count >= lasting && now - since > lastingMs;
  }

  /** How many answers of an operation were lost since one was heard. */
  lostInARow(operation: OperationId): number {
    return this.#lost.get(operation)?.count ?? 0;
  }

  /** What was answered so, also when it was asked again, while others were heard. */
  learns(exchange: Exchange): void {
    const way = wayOf(exchange);
    if (way !== undefined) this.#ways.set(way, (this.#ways.get(way) ?? 0) + 1);
  }

  /** What was answered so, and otherwise when it was asked again. */
  forgets(exchange: Exchange): void {
    this.#ways.delete(wayOf(exchange) ?? '');
  }

  isKnown(exchange: Exchange): boolean {
    return (this.#ways.get(wayOf(exchange) ?? '') ?? 0) >= enough;
  }
}

/** How an operation is answered to which key, and in whose words, apart from what was asked; undefined where nobody answered. */
const wayOf = (exchange: Exchange): string | undefined =>
  exchange.response && outcomeOf(exchange).by !== 'gateway'
    ? `${exchange.operation} ${exchange.mark?.credential} ${status(exchange)} ${isOutsideContract(exchange)} ${isPage(exchange)}`
    : undefined;
