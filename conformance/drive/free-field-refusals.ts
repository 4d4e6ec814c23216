import { isBlockedOnTheWay } from '../evidence/lost.js';
import { status } from '../evidence/read.js';
import type { Exchange } from '../vocabulary.js';

/** So many starts that are refused in the words of the contract: once it may have been for what did not last. */
const enough = 2;

/** Knows whether somebody takes offence at what is sent in free fields: what they may hold is not shown. */
export class FreeFieldRefusals {
  readonly #at: Exchange[] = [];

  /** A start was refused, and taken without what was in its free fields. */
  add(exchange: Exchange): void {
    this.#at.push(exchange);
  }

  /** It is no chance: free fields are left empty from then on. */
  get areLasting(): boolean {
    return this.#at.length >= enough || this.#at.some(isBlockedOnTheWay);
  }

  /** What the report is to tell of it. */
  get text(): string | undefined {
    const [first] = this.#at;
    return first && this.areLasting
      ? `Starts were refused for what was in their free fields (${status(first) ?? 'broken off'} in exchange ${first.id}), and taken without: the others had no more than a marker in them.`
      : undefined;
  }
}
