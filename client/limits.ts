import type { Runtime } from './runtime.js';

/** What ends a piece of work early. */
export interface Limits {
  signal?: AbortSignal | undefined;
  /** On the runtime's clock; Infinity for none. */
  deadline: number;
  /** How long one request may take, in milliseconds. Default: as long as the deadline allows. */
  requestMs?: number;
}

/**
 * Does `work`, and rejects with `stopped(...)` the moment that the caller aborts or the deadline passes, even if the
 * work takes no notice of the signal that it is given. Does not begin it when that has already happened.
 */
export function within<T>(
  runtime: Runtime,
  { signal, deadline, requestMs = Infinity }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
  stopped: (kind: 'aborted' | 'timeout') => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const left = Math.min(deadline - runtime.now(), requestMs);
    if (signal?.aborted) return reject(stopped('aborted'));
    if (left <= 0) return reject(stopped('timeout'));

    const controller = new AbortController();
    const settle = () => {
      callOff?.();
      signal?.removeEventListener('abort', abort);
    };
    const stop = (kind: 'aborted' | 'timeout') => {
      settle();
      reject(stopped(kind));
      controller.abort();
    };
    const abort = () => stop('aborted');
    const callOff = left === Infinity ? undefined : runtime.timer(left, () => stop('timeout'));
    signal?.addEventListener('abort', abort);
    work(controller.signal).then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

/** Resolves after so many milliseconds, unless the limits end it before. */
export const sleep = (
  runtime: Runtime,
  { signal, deadline }: Limits,
  ms: number,
  stopped: (kind: 'aborted' | 'timeout') => Error,
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
