import type { Clock } from './clock.js';

/** What the first pause that a target asks for slows the sending down to at least. */
const slowerSpacingMs = 100;
/** Short pauses slow the sending down to this and no further. */
const longestSpacingMs = 1000;
/** So many answers after a pause it goes faster again; at most so many where the target minds. */
const recovery = 8;
const longestRecovery = 64;

interface Turn {
  readonly first: boolean;
  /** `slot`: whether it takes one of the places that requests under way have. */
  readonly take: (slot: boolean) => void;
}

/** Lets requests through no faster than `requestsPerSecond`, and no more than `concurrency` at once. */
export class Pace {
  readonly #clock: Clock;
  readonly #usualMs: number;
  #spacingMs: number;
  /** Answers until it goes faster again, and how many there were. */
  #patience = recovery;
  #answers = 0;
  #waiting: Turn[] = [];
  #free: number;
  #next = 0;
  #heldUntil = 0;
  #asleep: AbortController | undefined;

  constructor(clock: Clock, { requestsPerSecond, concurrency }: { requestsPerSecond: number; concurrency: number }) {
    this.#clock = clock;
    this.#usualMs = 1000 / requestsPerSecond;
    this.#spacingMs = this.#usualMs;
    this.#free = concurrency;
  }

  /** Those that go first are let through before all others. The signal ends the wait for a turn, not what is sent. */
  async through<T>(send: () => Promise<T>, signal?: AbortSignal, first = false): Promise<T> {
    const slot = await this.#turn(first, signal);
    try {
      return await send();
    } finally {
      if (slot) this.#free += 1;
      this.#dispatch();
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

  #turn(first: boolean, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const turn: Turn = {
        first,
        take: (slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
      };
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== turn);
        if (this.#waiting.length === 0) this.#asleep?.abort();
        turn.take(false);
      };
      if (signal?.aborted) return turn.take(false);
      signal?.addEventListener('abort', leave);
      this.#waiting.push(turn);
      this.#dispatch();
    });
  }

  /** Lets through whoever may be, and wakes up again when the next one may. */
  #dispatch(): void {
    while (!this.#asleep && this.#free > 0 && this.#waiting.length > 0) {
      const now = this.#clock.now();
      // Below a millisecond a timer costs more than it spaces.
      if (this.#next - now >= 1) {
        const asleep = new AbortController();
        this.#asleep = asleep;
        void this.#clock.sleep(this.#next - now, asleep.signal).then(() => {
          this.#asleep = undefined;
          this.#dispatch();
        });
        return;
      }
      const place = Math.max(
        0,
        this.#waiting.findIndex(({ first }) => first),
      );
      const [turn] = this.#waiting.splice(place, 1);
      this.#free -= 1;
      this.#next = Math.max(now, this.#next) + this.#spacingMs;
      turn?.take(true);
    }
  }
}
