import type { Runtime } from '../../client/index.js';
import type { Clock } from '../../reference/index.js';

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock of client and service that moves only by `advance`; `random` is always a half, so a jittered pause is three quarters of its length. */
export class FakeClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): Timer {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  readonly runtime: Runtime = {
    now: () => this.now(),
    random: () => 0.5,
    timer: (ms, callback) => {
      const timer = this.setTimeout(callback, ms);
      return () => this.clearTimeout(timer);
    },
  };

  get pending(): number {
    return this.#timers.size;
  }

  /** How long it takes until something is due. */
  get next(): number {
    return Math.min(...[...this.#timers].map(({ at }) => at - this.#now));
  }

  /** Fires what is due within `ms`, in order; whatever waits for it continues before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = until;
  }
}
