/** What the client takes from its surroundings, so that a test can put a clock of its own in its place. */
export interface Runtime {
  /** Milliseconds since the epoch; never goes back. */
  now(): number;
  /** Calls back once after so many milliseconds; returns what calls it off. */
  timer(ms: number, callback: () => void): () => void;
  /** From 0 to below 1. */
  random(): number;
}

// Read once: clocks are set, and tests that put theirs in the place of `performance` leave out its `timeOrigin`.
const origin = Date.now() - performance.now();

// A longer delay makes setTimeout fire at once.
const longestDelay = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  now: () => origin + performance.now(),
  timer(ms, callback) {
    const id = setTimeout(callback, Math.min(ms, longestDelay));
    return () => clearTimeout(id);
  },
  random: () => Math.random(),
};
