/** Reading a synchronous start. */
import { isTerminal } from '../../../generated/lifecycle.js';
import { operations } from '../../../generated/operations.js';
import { accepted, sent, status } from '../../engine/outcome/read.js';
import { answeredStatus, type Reading, readings } from '../../engine/outcome/readings.js';
import { precedes } from '../../engine/outcome/when.js';
import { equal } from '../../engine/rule/values.js';
import type { Exchange, Trace } from '../../engine/vocabulary.js';
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
  const answered = answeredStatus(start);
  return answered === undefined || answered === 'queued' || isStop(answered);
}

/** Answered 202 because the wait was over. */
export function gaveUp(start: Exchange): boolean {
  return status(start) === 202 && !mayReturnEarly(start) && !isTerminal(answeredStatus(start) ?? '');
}

/** Whoever is answered sooner was not answered because the wait was over; timers may be a little early. */
export const nearly = 0.95;

/** What the execution was when it was read after the answer. */
export const after = (trace: Trace, start: Exchange): Reading[] =>
  readings(trace.readings).filter(({ exchange }) => precedes(start, exchange));

/** Whether a call was taken that asked to wait as long. */
export const waitsAsOthers = (call: Exchange, calls: readonly Exchange[]): boolean =>
  calls.some((other) => accepted(other) && equal(sent(other)?.timeoutSeconds, sent(call)?.timeoutSeconds));
