/** Reading a synchronous start. */
import { isTerminal } from '../../../generated/lifecycle.js';
import { operations } from '../../../generated/operations.js';
import { sent, status } from '../../engine/outcome/read.js';
import { answeredStatus } from '../../engine/outcome/readings.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { isStop } from '../executions/view.js';

/** interface: Limits, timeoutSeconds. A call that names no wait waits as long. */
export const longestWaitSeconds: number = operations.executeSync.bounds.timeoutSeconds.maximum;
export const defaultWaitMs = longestWaitSeconds * 1000;

export const isSync = (exchange: Exchange | undefined): exchange is Exchange => exchange?.operation === 'executeSync';

/**
 * How long a call was to wait, in milliseconds; undefined where the request is not a valid one, or where nobody recorded how
 * long it did.
 */
export function waitMs(start: Exchange): number | undefined {
  if (start.untimed) return undefined;
  const seconds = sent(start)?.timeoutSeconds ?? longestWaitSeconds;
  return typeof seconds === 'number' && seconds >= 1 && seconds * 1000 <= defaultWaitMs ? seconds * 1000 : undefined;
}

/** Answered 202 at a stop or in the queue, where a call may return before its wait is over. */
export function mayReturnEarly(start: Exchange): boolean {
  const told = answeredStatus(start);
  return told === undefined || told === 'queued' || isStop(told);
}

/** Answered 202 because the wait was over. */
export function gaveUp(start: Exchange): boolean {
  const told = answeredStatus(start);
  return status(start) === 202 && told !== undefined && !isTerminal(told) && !mayReturnEarly(start);
}
