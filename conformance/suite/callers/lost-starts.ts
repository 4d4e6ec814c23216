/** Recognises starts whose answer was lost, and later starts that repeat them. */

import { createHash } from 'node:crypto';
import { memoize } from '../../engine/memoize.js';
import { accepted, isStart, isWaitingStart, status } from '../../engine/outcome/read.js';
import { endOf } from '../../engine/outcome/when.js';
import type { Exchange, Failure } from '../../engine/vocabulary.js';
import { freeFields, roomField } from '../executions/view.js';
import { askedBut } from '../starts/asked.js';

const gatewayTimeout = 504;

/** A synchronous start that was answered with a gateway timeout. */
export const isGatewayTimeoutOfSync = (exchange: Exchange): boolean =>
  isWaitingStart(exchange) && status(exchange) === gatewayTimeout;

/** Failures after which the request may not have been sent. */
const unsent: readonly Failure['kind'][] = ['unreachable', 'tls', 'unknown'];

/** A start whose answer was lost, so that its caller cannot know whether it took effect. */
export const isLostStart = (exchange: Exchange): boolean =>
  isStart(exchange) &&
  (exchange.failure
    ? !unsent.includes(exchange.failure.kind)
    : !isWaitingStart(exchange) && status(exchange) === gatewayTimeout);

/** Statuses that say nothing about the execution: the caller may not read, or should come back later. */
const untold: readonly (number | undefined)[] = [undefined, 401, 408, 429];

/** Whether a reading says something about the execution, be it that there is none. */
export const showsWhetherItExists = (reading: Exchange): boolean => {
  const code = status(reading);
  return !untold.includes(code) && Number(code) < 500;
};

/** Whether a later start asks for the same, even by the other operation, or with another wait or queueing. */
export const isSameStart = (first: Exchange, later: Exchange): boolean =>
  isStart(later) && fingerprintOfStart(later) === fingerprintOfStart(first);

/** A text that is equal for starts that ask for the same. */
export const fingerprintOfStart = (start: Exchange): string =>
  `${start.resource?.toLowerCase()} ${fingerprintOfBody(start)}`;

const fingerprintOfBody = memoize((start: Exchange): string => {
  const rest = askedBut(start, 'timeoutSeconds', roomField, freeFields.metadata);
  const wish = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(wish).digest('base64');
});

/** Whether a request was sent when the other was over. Before that, its caller could not know the outcome. */
export const isAfter = (earlier: Exchange, later: Exchange): boolean => later.at >= endOf(earlier);

/**
 * Whether the caller sends equal starts anyway: another was accepted before this one was over, or overlapped with it,
 * or was accepted and followed by yet another. Each starts its own execution, so a further one need not be a retry.
 */
export function isOneOfMany(start: Exchange, exchanges: readonly Exchange[]): boolean {
  const others = exchanges.filter((one) => one !== start && isSameStart(start, one));
  return others.some((one, place) =>
    accepted(one) ? !isAfter(start, one) || place < others.length - 1 : !isAfter(start, one) && !isAfter(one, start),
  );
}
