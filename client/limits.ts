import type { Runtime } from './runtime.js';

/** What ends a piece of work early. */
export interface Limits {
  signal?: AbortSignal | undefined;
  /** On the runtime's clock; Infinity for none. */
  deadline: number;
  /** How long one request may take, in milliseconds. Default: as long as the deadline allows. */
  requestMs?: number;
}

/** Why a piece of work ended early; the cause is the caller's own. */
export interface Stop {
  kind: 'aborted' | 'timeout';
  cause?: unknown;
}

type Told = Set<() => void> & { handleEvent(): void };

/** One listener for all calls that share a signal: Node 20 warns of a leak where each of many adds its own. */
const told = new WeakMap<AbortSignal, Told>();

/** Calls back when the signal aborts. Returns what calls that off. */
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
 * Does `work`, and rejects with `stopped(...)` the moment that the caller aborts or the deadline passes, even if the
 * work takes no notice of the signal that it is given. Does not begin it when that has already happened.
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

/** Resolves after so many milliseconds, unless the limits end it before. */
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
