import type { sends } from '../generated/sends.js';
import type { ExecutionStatus } from '../generated/types.js';
import type { ExecuteRequest } from './requests.js';
import type { WaitOptions } from './wait.js';

// interface: Limits (timeoutSeconds)
export const longestWaitSeconds: (typeof sends.executeSync.bounds.timeoutSeconds)['maximum'] = 25;

// What stays of the deadline after the service's wait: to learn the execution's id and read how it stands.
const reserveMs = 1000;

/**
 * How many seconds the service should wait when it starts an execution for `run`; 0 where starting and polling serves
 * the caller better. One who may abort needs the id early, one who follows the states wants all of them, one who waits
 * for another state than the end might miss it, and in a queue the wait is over before anything runs.
 */
export function waitSeconds(
  { onCapacityLimit }: ExecuteRequest,
  { signal, onStatus, until, timeoutMs = Infinity }: WaitOptions<ExecutionStatus>,
): number {
  if (signal || onStatus || until?.length || onCapacityLimit === 'queue') return 0;
  return Math.min(longestWaitSeconds, Math.max(0, Math.floor((timeoutMs - reserveMs) / 1000)));
}
