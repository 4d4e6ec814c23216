import { setTimeout as delay } from 'node:timers/promises';

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
