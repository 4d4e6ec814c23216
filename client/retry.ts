import { WorkflowError } from './errors.js';
import { type Limits, sleep } from './limits.js';
import type { Runtime } from './runtime.js';

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Between half of the time and the whole of it, so that many clients do not come back at the same moment. */
export const jittered = (ms: number, { random }: Runtime): number => ms * (0.5 + random() / 2);

/**
 * `Retry-After` in milliseconds from now: a number of seconds or an HTTP date, by the clock of whoever wrote it where the
 * answer tells it.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const asked = headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(asked)) return Math.min(Number(asked) * 1000, Number.MAX_SAFE_INTEGER);
  // Date.parse alone makes a date of almost anything.
  const ms = asked.endsWith(' GMT') ? Date.parse(asked) - (Date.parse(headers.get('Date') ?? '') || now) : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** How often, and after what, a reading is repeated. */
export interface Patience {
  /** How many times. */
  times: number;
  /** Whether a failure may pass. */
  passes(error: WorkflowError): boolean;
  /** The longest pause that `Retry-After` can ask for, in milliseconds. */
  maxRetryAfterMs: number;
  /** Told of each pause. */
  onPause(failures: number, delayMs: number, error: WorkflowError): void;
}

/** Reads, and again after a failure that may pass, with growing pauses, as long as the limits leave time for it. */
export async function repeating<T>(
  runtime: Runtime,
  { times, passes, maxRetryAfterMs, onPause }: Patience,
  limits: Limits,
  read: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await read(failures + 1);
    } catch (error) {
      if (!(error instanceof WorkflowError) || !passes(error) || failures >= times) throw error;
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

/** A single reading is repeated after these. What gateways answer for a service is a network failure too, behind them. */
export const mayPass = ({ kind, status = 0 }: WorkflowError): boolean => passing.includes(kind) || status > 501;

/**
 * A wait goes on through these: a service that was there before will be there again. A page of maintenance may say 200, or
 * be what a redirect leads to.
 */
export const mayPassInTime = ({ kind, status, body = '{' }: WorkflowError): boolean =>
  passing.includes(kind) ||
  kind === 'server' ||
  status === 408 ||
  (kind === 'malformed-response' && !/^\s*[{[]/.test(body));
