import type { sends } from '../generated/sends.js';
import type { ExecutionStatus } from '../generated/types.js';
import { asksToQueue } from './checks.js';
import type { PresentStart } from './requests.js';
import type { WaitOptions } from './wait.js';

// interface: Limits (timeoutSeconds)
const shortestWaitSeconds: (typeof sends.executeSync.bounds.timeoutSeconds)['minimum'] = 1;
export const longestWaitSeconds: (typeof sends.executeSync.bounds.timeoutSeconds)['maximum'] = 25;

// Time to keep after the service's wait, to get the answer and read the execution.
const reserveMs = 1000;

/**
 * How many seconds the service should wait in a `run`; 0 if starting and polling is better: a caller that may abort
 * needs the id early, one with `onStatus` wants all states, one with `until` might miss its state, and a queued
 * execution does not run within the wait.
 */
export function waitSeconds(
  request: PresentStart,
  { signal, onStatus, until, timeoutMs = Infinity }: WaitOptions<ExecutionStatus>,
): number {
  const seconds = Math.min(longestWaitSeconds, Math.floor((timeoutMs - reserveMs) / 1000));
  return signal || onStatus || until?.length || asksToQueue(request) || seconds < shortestWaitSeconds ? 0 : seconds;
}
