/** Ends work when the caller aborts it, or its deadline passes. */

import type { Runtime } from './runtime.js';

/** What ends a piece of work early. */
export interface Limits {
  signal?: AbortSignal | undefined;
  /** In milliseconds on the runtime's clock; Infinity for none. */
  deadline: number;
  /** How long one request may take, in milliseconds. Default: up to the deadline. */
  requestMs?: number;
}

/** Why work ended early; `cause` is the reason of the caller's signal. */
export interface Stop {
  kind: 'aborted' | 'timeout';
  cause?: unknown;
}

type Told = Set<() => void> & { handleEvent(): void };

/** One listener for all calls that share a signal: with many, Node warns of a memory leak. */
const told = new WeakMap<AbortSignal, Told>();

/** Calls back when the signal aborts. Returns a function that cancels this. */
function onAbort(signal: AbortSignal, back: () => void): () => void {
  const all: Told =
    told.get(signal) ??
    Object.assign(new Set<() => void>(), {
      handleEvent() {
        for (const one of all) one();
      },
    });
  if (!all.size) signal.addEventListener('abort', all);
  told.set(signal, all);
  all.add(back);
  return () => {
    if (all.delete(back) && !all.size) signal.removeEventListener('abort', all);
  };
}

/**
 * Does `work`, and rejects with `stopped(...)` as soon as the caller aborts or the deadline passes, even if the work
 * ignores the signal that it gets. Does not begin it if that has already happened.
 */
export function within<T>(
  runtime: Runtime,
  { signal, deadline, requestMs = Infinity }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
  stopped: (stop: Stop) => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const left = Math.min(deadline - runtime.now(), requestMs);
    const controller = new AbortController();
    const stop = (stop: Stop) => {
      settle();
      reject(stopped(stop));
      controller.abort();
    };
    const abort = () => stop({ kind: 'aborted', cause: signal?.reason });
    const late = () => stop({ kind: 'timeout' });
    const callOff = left === Infinity ? undefined : runtime.timer(left, late);
    let ignore: (() => void) | undefined;
    const settle = () => {
      callOff?.();
      ignore?.();
    };
    if (signal?.aborted) return abort();
    if (left <= 0) return late();
    ignore = signal && onAbort(signal, abort);
    work(controller.signal).then(resolve, reject).then(settle);
  });
}

/** Resolves after `ms` milliseconds, or rejects when the limits end it. */
export const sleep = (
  runtime: Runtime,
  { signal, deadline }: Limits,
  ms: number,
  stopped: (stop: Stop) => Error,
): Promise<void> =>
  within(
    runtime,
    { signal, deadline },
    (signal) =>
      new Promise((resolve) => {
        const callOff = runtime.timer(ms, resolve);
        signal.addEventListener('abort', callOff);
      }),
    stopped,
  );
