import { WorkflowError } from './errors.js';
import { type Limits, sleep } from './limits.js';
import type { Runtime } from './runtime.js';

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Between half of the time and the whole of it, so that many clients do not come back at the same moment. */
export const jittered = (ms: number, { random }: Runtime): number => ms * (0.5 + random() / 2);

/** `Retry-After` in milliseconds from now: a number of seconds or an HTTP date. */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (header && /^\d+$/.test(header)) return Number(header) * 1000;
  // Date.parse alone makes a date of almost anything.
  const ms = header?.endsWith(' GMT') ? Date.parse(header) - now : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Reads, and up to `times` times again after a failure that may pass, as long as the limits leave time for it. */
export async function repeating<T>(
  runtime: Runtime,
  times: number,
  limits: Limits,
  read: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof WorkflowError) || !mayPass(error) || failures >= times) throw error;
      const backoff = jittered(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), runtime);
      const pause = (error.retryAfterMs ?? 0) + backoff;
      if (runtime.now() + pause >= limits.deadline) throw error;
      await sleep(runtime, limits, pause, () => aborted(error));
    }
  }
}

// 502 and 504 are a network failure too, behind the gateway.
const mayPass = ({ kind, status = 0 }: WorkflowError) =>
  ['rate-limited', 'network', 'timeout'].includes(kind) || [502, 503, 504].includes(status);

const aborted = ({ operation, executionId }: WorkflowError) =>
  new WorkflowError('aborted', `${operation}: aborted by the caller between two attempts`, {
    operation,
    executionId,
    requestSent: true,
  });
