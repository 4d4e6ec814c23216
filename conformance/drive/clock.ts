import { setTimeout as delay } from 'node:timers/promises';

/** Time as the suite sees it. Injected, so that a test can let it pass at will. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** By how many milliseconds, all in all, this process came later to what was due than it should have; absent: never. */
  lag?(): number;
}

/** A timer of more fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

const tickMs = 20;
/** Timers are never exact. */
const usualMs = 5;

/** Counts the delays of this process from the first call on: on a busy machine they are in all that it measures. */
function lagMeter(): () => number {
  let total = 0;
  let due: number | undefined;
  const tick = () => {
    const late = performance.now() - (due ?? 0);
    if (late > usualMs) total += late;
    due = performance.now() + tickMs;
    setTimeout(tick, tickMs).unref();
  };
  return () => {
    if (due === undefined) {
      due = performance.now() + tickMs;
      setTimeout(tick, tickMs).unref();
    }
    // What is overdue now counts as well.
    return total + Math.max(0, performance.now() - due - usualMs);
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
