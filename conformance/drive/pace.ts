import type { Clock } from './clock.js';

/** What the first pause that a target asks for slows the sending down to at least. */
const slowerSpacingMs = 100;
/** Short pauses slow the sending down to this and no further. */
const longestSpacingMs = 1000;

/** So many answers after a pause it goes faster again; at most so many where the target minds. */
const recovery = 8;
const longestRecovery = 64;

/** Lets requests through no faster than `requestsPerSecond`, and no more than `concurrency` at once. */
export class Pace {
  readonly #clock: Clock;
  readonly #usualMs: number;
  #spacingMs: number;
  /** Answers until it goes faster again, and how many there were. */
  #patience = recovery;
  #answers = 0;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #next = 0;
  #heldUntil = 0;

  constructor(clock: Clock, { requestsPerSecond, concurrency }: { requestsPerSecond: number; concurrency: number }) {
    this.#clock = clock;
    this.#usualMs = 1000 / requestsPerSecond;
    this.#spacingMs = this.#usualMs;
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

  /**
   * The target asked for a pause: nobody sends before it is over, and then at half the speed at most, or those who
   * waited would run into the limit again together.
   */
  hold(ms: number): void {
    const now = this.#clock.now();
    // What was under way together is refused together, and slows down once.
    if (now >= this.#heldUntil) {
      // Who was faster again a moment ago was too fast.
      if (this.#answers < this.#patience / 2 && this.#spacingMs > this.#usualMs)
        this.#patience = Math.min(this.#patience * 2, longestRecovery);
      this.#answers = 0;
      const slower = Math.min(Math.max(this.#spacingMs * 2, slowerSpacingMs), Math.max(ms, longestSpacingMs));
      this.#spacingMs = Math.max(this.#spacingMs, slower);
    }
    this.#heldUntil = Math.max(this.#heldUntil, now + ms);
    this.#next = Math.max(this.#next, this.#heldUntil);
  }

  /** An answer that asks for no pause. After some of them it goes faster again, up to the usual pace. */
  answered(): void {
    this.#answers += 1;
    if (this.#answers < this.#patience || this.#spacingMs === this.#usualMs) return;
    this.#answers = 0;
    this.#spacingMs = Math.max(this.#spacingMs / 2, this.#usualMs);
  }

  async #slot(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
