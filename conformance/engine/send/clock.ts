import { setTimeout as delay } from 'node:timers/promises';
import type { Facts } from '../vocabulary.js';

/** Time as the suite sees it. Injected, so that a test can let it pass at will. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Counts from now on how much later this process comes to what is due than it should. What it returns ends that, and gives
   * the milliseconds. Absent: it is never late.
   */
  lag?(): () => number;
}

/** A timer of more fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

const tickMs = 20;
/** Timers are never exact. */
const usualMs = 5;

/** Counts the delays of this process: on a busy machine they are in all that it measures. It ticks while somebody counts. */
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
  // What is overdue now counts as well.
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

const usualSeconds = 60;

/** How long an answer that may still come is waited for, in milliseconds. States take as long as they take. */
export const graceMs = ({ patienceSeconds = usualSeconds }: Facts['pace']): number => patienceSeconds * 1000;

/** How long to look away between two looks at the same thing, in milliseconds: first a moment, then longer and longer. */
export const firstPollMs = 40;
export const longestPollMs = 2000;
const growth = 1.2;

export const longer = (ms: number, longest = longestPollMs, by = growth): number => Math.min(ms * by, longest);

/** What has stood still for minutes is looked at less often: after so much of that time. */
export const lookAwayShare = 1 / 20;

/** How long to look away at most from what has stood still for so long. */
export const longestAway = (stoodMs: number): number => Math.max(longestPollMs, stoodMs * lookAwayShare);

/** Time spent waiting; waits side by side count once. */
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

  /** Counts the time that something takes. */
  async during<T>(wait: () => Promise<T>): Promise<T> {
    const from = this.#now();
    try {
      return await wait();
    } finally {
      this.#spans.push([from, this.#now()]);
    }
  }
}
