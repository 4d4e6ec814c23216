import { accepted, acceptedExecutionId, isStart } from '../evidence/read.js';
import { endOf, isAfter, isLost, isTimeout, wishOf } from '../judge/following.js';
import type { Exchange } from '../vocabulary.js';
import { Recent } from './recent.js';

/** Those that nothing follows are not waited for without end. */
const most = 100;
/** So many starts are remembered, at least half as many: which executions they named, and what they asked for. */
const mostKnown = 20_000;

interface Pending {
  readonly start: Exchange;
  readonly wish: string;
  /** Its caller sends equal starts anyway: a further one tells nothing. */
  isOneOfMany: boolean;
}

/** Starts that a gateway gave up on or whose answer was lost, each with what its caller did next. */
export class Timeouts {
  readonly #told: (exchanges: readonly Exchange[]) => void;
  #pending: Pending[] = [];
  /** In lower case. */
  readonly #known = new Recent<string, true>(mostKnown, () => 1);
  /** Until when one was under way that asked for this; for ever, where one was taken. */
  readonly #asked = new Recent<string, number>(mostKnown, () => 1);

  constructor(told: (exchanges: readonly Exchange[]) => void) {
    this.#told = told;
  }

  /** Whether a reading of this execution is what somebody may do next: other readings need not be given. */
  isAwaited(executionId: string): boolean {
    return this.#pending.length > 0 && this.#known.get(executionId.toLowerCase()) === undefined;
  }

  /** Starts and readings, in the order of time. `isElsewhere`: one is judged by others, and known here. */
  exchange(exchange: Exchange, isElsewhere = false): void {
    const { operation, resource } = exchange;
    if (operation === 'getExecution' && this.isAwaited(resource ?? '')) this.#follow(exchange, () => true);
    if (!isStart(exchange)) return;
    const wish = wishOf(exchange);
    this.#follow(exchange, (pending) => {
      if (pending.wish !== wish) return false;
      pending.isOneOfMany ||= !isAfter(pending.start, exchange);
      return !pending.isOneOfMany;
    });
    const id = acceptedExecutionId(exchange);
    if (id !== undefined) this.#known.set(id.toLowerCase(), true);
    const until = this.#asked.get(wish) ?? 0;
    if (!isElsewhere && (isTimeout(exchange) || isLost(exchange)))
      this.#pending.push({ start: exchange, wish, isOneOfMany: until > exchange.at });
    this.#asked.set(wish, accepted(exchange) ? Number.POSITIVE_INFINITY : Math.max(until, endOf(exchange)));
    if (this.#pending.length > most) this.#told(this.#pending.splice(0, 1).map(({ start }) => start));
  }

  finish(): void {
    for (const { start } of this.#pending) this.#told([start]);
  }

  #follow(exchange: Exchange, isNext: (pending: Pending) => boolean): void {
    this.#pending = this.#pending.filter((pending) => {
      if (!isNext(pending) || !isAfter(pending.start, exchange)) return true;
      this.#told([pending.start, exchange]);
      return false;
    });
  }
}
