/** How to read the answer to a synchronous start. */
import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import { operations } from '../../../generated/operations.js';
import { accepted, awaits, isWaitingStart, requestFields, status } from '../../engine/outcome/read.js';
import { answeredStatus, type Reading, readings } from '../../engine/outcome/readings.js';
import { precedes } from '../../engine/outcome/when.js';
import { waitMsIn } from '../../engine/rule/times.js';
import { equal } from '../../engine/rule/values.js';
import type { Exchange, Trace } from '../../engine/vocabulary.js';
import { leastWaitSeconds, longestWaitSeconds } from '../operations.js';

/** interface: Limits, timeoutSeconds. */
export const defaultWaitMs = operations.executeSync.waits.usual * 1000;

export const isSync = (exchange: Exchange | undefined): exchange is Exchange =>
  exchange !== undefined && (isWaitingStart(exchange) || awaits(exchange));

/** How long a call was to wait, in milliseconds; undefined if its wait is invalid, or its duration was not recorded. */
export function waitMs(start: Exchange): number | undefined {
  if (start.untimed) return undefined;
  if (awaits(start)) return waitMsIn(start);
  const seconds = requestFields(start).timeoutSeconds ?? operations.executeSync.waits.usual;
  return typeof seconds === 'number' && seconds >= leastWaitSeconds && seconds <= longestWaitSeconds
    ? seconds * 1000
    : undefined;
}

/** Whether a call may have returned before its wait was over: because of a stop or the queue. */
export function mayReturnEarly(start: Exchange): boolean {
  const answered = answeredStatus(start);
  return answered === undefined || answered === 'queued' || isStopped(answered);
}

/** Whether a 202 was sent because the wait was over. */
export function gaveUp(start: Exchange): boolean {
  return status(start) === 202 && !mayReturnEarly(start) && !isTerminal(answeredStatus(start) ?? '');
}

/** Share of the wait after which an answer may be due to its end: timers may be a little early. */
export const nearly = 0.95;

/** The readings of the execution after the answer. */
export const after = (trace: Trace, start: Exchange): Reading[] =>
  readings(trace.readings).filter(({ exchange }) => precedes(start, exchange));

/** Whether another call with the same wait was accepted. */
export const waitsAsOthers = (call: Exchange, calls: readonly Exchange[]): boolean =>
  calls.some(
    (other) => accepted(other) && equal(requestFields(other).timeoutSeconds, requestFields(call).timeoutSeconds),
  );
