import { acceptedExecutionId, isStart } from '../evidence/read.js';
import { isLost, isSameStart, isTimeout } from '../judge/following.js';
import type { Exchange } from '../vocabulary.js';

/** Those that nothing follows are not waited for without end. */
const most = 100;
/** So many executions are remembered as known: reading one of them is no look-up. */
const mostKnown = 10_000;

/** Starts that a gateway gave up on or whose answer was lost, each with what its caller did next. */
export class Timeouts {
  readonly #told: (exchanges: readonly Exchange[]) => void;
  #pending: Exchange[] = [];
  /** In lower case. */
  readonly #known = new Set<string>();

  constructor(told: (exchanges: readonly Exchange[]) => void) {
    this.#told = told;
  }

  /** Whether a reading of this execution is what somebody may do next: other readings need not be given. */
  isAwaited(executionId: string): boolean {
    return this.#pending.length > 0 && !this.#known.has(executionId.toLowerCase());
  }

  /** Starts and readings, in the order of time. */
  exchange(exchange: Exchange): void {
    const { operation, resource } = exchange;
    if (this.#pending.length > 0) {
      const isLookUp = operation === 'getExecution' && this.isAwaited(resource ?? '');
      this.#pending = this.#pending.filter((pending) => {
        const isNext = isLookUp || isSameStart(pending, exchange);
        if (isNext) this.#told([pending, exchange]);
        return !isNext;
      });
    }
    if (!isStart(exchange)) return;
    const id = acceptedExecutionId(exchange);
    if (id !== undefined) this.#known.add(id.toLowerCase());
    if (this.#known.size > mostKnown) this.#known.delete(this.#known.values().next().value ?? '');
    if (isTimeout(exchange) || isLost(exchange)) this.#pending.push(exchange);
    if (this.#pending.length > most) this.#told(this.#pending.splice(0, 1));
  }

  finish(): void {
    for (const pending of this.#pending) this.#told([pending]);
  }
}
