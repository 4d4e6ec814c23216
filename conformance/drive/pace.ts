import type { Clock } from './clock.js';

/** Lets requests through no faster than `requestsPerSecond`, and no more than `concurrency` at once. */
export class Pace {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #next = 0;

  constructor(clock: Clock, { requestsPerSecond, concurrency }: { requestsPerSecond: number; concurrency: number }) {
    this.#clock = clock;
    this.#spacingMs = 1000 / requestsPerSecond;
    this.#free = concurrency;
  }

  /** The signal ends the wait for a turn, not what is sent. */
  async through<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#slot();
    try {
      const now = this.#clock.now();
      const turn = Math.max(now, this.#next);
      this.#next = turn + this.#spacingMs;
      // Below a millisecond a timer costs more than it spaces.
      if (turn - now >= 1) await this.#clock.sleep(turn - now, signal);
      return await send();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  /** The target asked for a pause: nobody sends before it is over. */
  hold(ms: number): void {
    this.#next = Math.max(this.#next, this.#clock.now() + ms);
  }

  async #slot(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
