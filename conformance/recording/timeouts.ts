import { isSameStart } from '../judge/callers.js';
import type { Exchange } from '../vocabulary.js';

const gatewayTimeout = 504;
/** Those that nothing follows are not waited for without end. */
const most = 100;

/** Synchronous starts that a gateway gave up on, each with what its caller did next. */
export class Timeouts {
  readonly #told: (exchanges: readonly Exchange[]) => void;
  #pending: Exchange[] = [];

  constructor(told: (exchanges: readonly Exchange[]) => void) {
    this.#told = told;
  }

  exchange(exchange: Exchange): void {
    const { operation, response } = exchange;
    if (this.#pending.length > 0 && (operation === 'getExecution' || operation === 'executeSync'))
      this.#pending = this.#pending.filter((pending) => {
        const isNext = operation === 'getExecution' || isSameStart(pending, exchange);
        if (isNext) this.#told([pending, exchange]);
        return !isNext;
      });
    if (operation === 'executeSync' && response?.status === gatewayTimeout) this.#pending.push(exchange);
    if (this.#pending.length > most) this.#told(this.#pending.splice(0, 1));
  }

  finish(): void {
    for (const pending of this.#pending) this.#told([pending]);
  }
}
