/** The clock, timers and random numbers that the client uses. Tests can pass their own. */
export interface Runtime {
  /** Milliseconds since the epoch. Never decreases. */
  now(): number;
  /** Calls back once after `ms` milliseconds. Returns a function that cancels it. */
  timer(ms: number, callback: () => void): () => void;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
}

// Read once, as system clocks are adjusted. Not `timeOrigin`: tests that replace `performance` leave it out.
const origin = Date.now() - performance.now();

// With a longer delay setTimeout fires at once.
const longestDelay = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  now: () => origin + performance.now(),
  timer(ms, callback) {
    const id = setTimeout(callback, Math.min(ms, longestDelay));
    return () => clearTimeout(id);
  },
  random: () => Math.random(),
};
