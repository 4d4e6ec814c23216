/** Retries of GET requests, and how long to pause before them. */

import { WorkflowError } from './errors.js';
import { type Limits, sleep } from './limits.js';
import type { Runtime } from './runtime.js';

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Between half and all of the time, so that many clients do not retry at the same moment. */
export const jittered = (ms: number, { random }: Runtime): number => ms * (0.5 + random() / 2);

/**
 * `Retry-After` in milliseconds from now. It is a number of seconds or an HTTP date; a date is compared with the
 * answer's `Date`, because clocks may differ.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const asked = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(asked)) return Math.min(Number(asked) * 1000, Number.MAX_SAFE_INTEGER);
  // Date.parse would accept almost anything.
  const ms = asked.endsWith(' GMT') ? Date.parse(asked) - (Date.parse(headers.get('Date') ?? '') || now) : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** How often, and after which failures, a request is retried. */
export interface RetryPolicy {
  /** The most retries. */
  times: number;
  /** Whether to retry after this error. */
  mayRetry(error: WorkflowError): boolean;
  /** The longest pause that `Retry-After` can ask for, in milliseconds. */
  maxRetryAfterMs: number;
  /** Called before each pause. */
  onPause(failures: number, delayMs: number, error: WorkflowError): void;
}

/** Calls `read`, and retries it after failures that may pass, with growing pauses, as long as the limits leave time. */
export async function retrying<T>(
  runtime: Runtime,
  { times, mayRetry, maxRetryAfterMs, onPause }: RetryPolicy,
  limits: Limits,
  read: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await read(failures + 1);
    } catch (error) {
      if (!(error instanceof WorkflowError) || !mayRetry(error) || failures >= times) throw error;
      const backoff = jittered(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), runtime);
      const pause = Math.min(error.retryAfterMs ?? 0, maxRetryAfterMs) + backoff;
      if (runtime.now() + pause >= limits.deadline) throw error;
      onPause(failures + 1, pause, error);
      const { operation, executionId } = error;
      await sleep(runtime, limits, pause, ({ kind, cause }) => {
        const text = `${operation}: aborted by the caller between two attempts`;
        return new WorkflowError(kind, text, { operation, executionId, requestSent: true, cause });
      });
    }
  }
}

const passing = ['rate-limited', 'network', 'timeout'];

/** Failures after which a GET is retried. Above 501, statuses mostly mean that a gateway cannot reach the service. */
export const isTransient = ({ kind, status = 0 }: WorkflowError): boolean => passing.includes(kind) || status > 501;

/**
 * Failures that a wait survives: those of a GET, and what is not the service's own word, whatever its status. Only a body
 * that is too large, which is not shown, would come again.
 */
export const isTransientDuringWait = ({ kind, status, body }: WorkflowError): boolean =>
  [...passing, 'server', 'intermediary', 'configuration'].includes(kind) ||
  status === 408 ||
  (kind === 'malformed-response' && body !== undefined);
