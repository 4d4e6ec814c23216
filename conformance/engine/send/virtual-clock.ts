/** A clock for tests and proofs, in which waiting takes no real time. */
import { setImmediate as turn } from 'node:timers/promises';

/** After this many turns of the event loop without a timer, nothing but timers is taken to be pending. */
const quietTurns = 4;

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

/**
 * A clock that service and suite share. Time stands still while anything is under way, and jumps to the next timer when
 * nothing is. A run of seconds takes milliseconds, and is the same each time.
 */
export class VirtualClock {
  readonly #timers = new Set<Timer>();
  #now: number;
  readonly #stuckMs: number;

  /** `stuckMs`: how long, in real time, there may be no timer before `run` rejects. */
  constructor(now = Date.UTC(2026, 0, 1), stuckMs = 60_000) {
    this.#now = now;
    this.#stuckMs = stuckMs;
  }

  now = (): number => this.#now;

  /** The same time for a client: the second argument of `createWorkflowClient`. */
  readonly runtime = {
    now: (): number => this.#now,
    timer: (ms: number, fire: () => void): (() => void) => {
      const timer = this.setTimeout(fire, ms);
      return () => this.clearTimeout(timer);
    },
    random: (): number => 0.5,
  };

  setTimeout = (fire: () => void, ms: number): Timer => {
    const timer = { due: this.#now + Math.max(0, ms), fire };
    this.#timers.add(timer);
    return timer;
  };

  clearTimeout = (timer: unknown): void => {
    this.#timers.delete(timer as Timer);
  };

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        this.clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.setTimeout(done, signal?.aborted ? 0 : ms);
      signal?.addEventListener('abort', done);
    });

  /** Lets time pass until the work is done. Rejects if it never will be. */
  async run<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const done = work.finally(() => {
      over = true;
    });
    done.catch(() => undefined);
    let firedAt = performance.now();
    for (let idle = 0; !over; idle += 1) {
      await turn();
      if (idle < quietTurns) continue;
      idle = 0;
      if (this.#fireNext()) firedAt = performance.now();
      else if (performance.now() - firedAt > this.#stuckMs)
        throw new Error('Nothing is under way, and the work is not done: each part of it waits for another one.');
    }
    return done;
  }

  /** Fires the next timer; false if there is none. */
  #fireNext(): boolean {
    let next: Timer | undefined;
    // Of timers due at the same time the first that was set wins: a set keeps that order.
    for (const timer of this.#timers) if (!next || timer.due < next.due) next = timer;
    if (!next) return false;
    this.#timers.delete(next);
    this.#now = next.due;
    next.fire();
    return true;
  }
}
