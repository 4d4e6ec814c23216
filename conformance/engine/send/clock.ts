import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';

/** The clock of the suite, injected so that tests can control time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Starts to measure how much this process lags behind its timers. The function that it returns stops, and gives the
   * lag in milliseconds. Absent: the process never lags.
   */
  lag?(): () => number;
}

/** A timer with a longer delay fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

const tickMs = 20;
/** Smaller delays are the usual inaccuracy of timers. */
const usualMs = 5;

/** Measures how late timers fire: on a busy machine, all measured times include that delay. Ticks only while in use. */
function lagMeter(): () => () => number {
  let total = 0;
  let counting = 0;
  let due: number | undefined;
  const wait = () => {
    due = performance.now() + tickMs;
    setTimeout(tick, tickMs).unref();
  };
  const tick = () => {
    const late = performance.now() - (due ?? 0);
    if (late > usualMs) total += late;
    due = undefined;
    if (counting > 0) wait();
  };
  // A tick that is overdue counts as well.
  const now = () => total + (due === undefined ? 0 : Math.max(0, performance.now() - due - usualMs));
  return () => {
    counting += 1;
    if (due === undefined) wait();
    const before = now();
    return () => {
      counting -= 1;
      return now() - before;
    };
  };
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    let left = ms;
    do {
      await delay(Math.min(left, longestTimerMs), undefined, signal && { signal }).catch(() => undefined);
      left -= longestTimerMs;
    } while (left > 0 && !signal?.aborted);
  },
  lag: lagMeter(),
};

/** The first and the longest pause between two polls, in milliseconds. */
export const firstPollMs = 40;
export const longestPollMs = 2000;
const growth = 1.2;

export const nextInterval = (ms: number, longest = longestPollMs, by = growth): number => Math.min(ms * by, longest);

/** A state that has not changed for minutes is polled less often: the pause is this share of that time. */
export const pollPauseShare = 1 / 20;

/** The longest pause between two polls of a state that has not changed for `unchangedMs`. */
export const longestPauseMs = (unchangedMs: number): number => Math.max(longestPollMs, unchangedMs * pollPauseShare);

/** Sums up waiting time; waits that overlap count once. */
export class Waits {
  readonly #now: () => number;
  readonly #spans: (readonly [from: number, to: number])[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get totalMs(): number {
    let total = 0;
    let end = Number.NEGATIVE_INFINITY;
    for (const [from, to] of this.#spans.toSorted(([a], [b]) => a - b)) {
      total += Math.max(0, to - Math.max(from, end));
      end = Math.max(end, to);
    }
    return total;
  }

  async during<T>(wait: () => Promise<T>): Promise<T> {
    const from = this.#now();
    try {
      return await wait();
    } finally {
      this.#spans.push([from, this.#now()]);
    }
  }
}

// A clock for tests and proofs, in which waiting takes no real time.

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
