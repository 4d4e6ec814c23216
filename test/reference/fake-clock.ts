import type { Clock } from '../../reference/index.js';

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** Time that stands still until a test lets it pass. */
export class FakeClock implements Clock {
  #now = Date.UTC(2026, 2, 2, 9);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  setTimeout(fn: () => void, ms: number): Timer {
    const timer = { at: this.#now + ms, fn };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  /** How long it takes until something is due. */
  get next(): number {
    return Math.min(...[...this.#timers].map(({ at }) => at - this.#now));
  }

  /** Fires what is due within `ms`, in order; whoever waits for it goes on before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
    }
    this.#now = until;
    await settled();
  }
}

/** Everything that needs no time has happened: requests are read, answers written. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}
