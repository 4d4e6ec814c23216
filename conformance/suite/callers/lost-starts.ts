/** Starts whose answer was lost, and which later ones are the same again. */

import { createHash } from 'node:crypto';
import { memoize } from '../../engine/memoize.js';
import { accepted, type Fields, isStart, sent, status } from '../../engine/outcome/read.js';
import { endOf } from '../../engine/outcome/when.js';
import type { Exchange, Failure } from '../../engine/vocabulary.js';

const gatewayTimeout = 504;

/** A synchronous start that a gateway gave up on. */
export const isGatewayTimeoutOfSync = (exchange: Exchange): boolean =>
  exchange.operation === 'executeSync' && status(exchange) === gatewayTimeout;

/** It was not sent, or may not have been. */
const unsent: readonly Failure['kind'][] = ['unreachable', 'tls', 'unknown'];

/** A start whose answer was lost on the way, so that nobody knows whether it took effect. */
export const isLostStart = (exchange: Exchange): boolean =>
  isStart(exchange) &&
  (exchange.failure
    ? !unsent.includes(exchange.failure.kind)
    : exchange.operation === 'execute' && status(exchange) === gatewayTimeout);

/** Who may not read, or is to come later, is told nothing of the execution. */
const untold: readonly (number | undefined)[] = [undefined, 401, 408, 429];

/** Whether a reading told of the execution, also that there is none. */
export const tells = (reading: Exchange): boolean => {
  const code = status(reading);
  return !untold.includes(code) && Number(code) < 500;
};

/** Whether a later start asks for the same, also by the other operation, with another wait or for the queue. */
export const isSameStart = (first: Exchange, later: Exchange): boolean =>
  isStart(later) && fingerprintOfStart(later) === fingerprintOfStart(first);

/** What a start asks for: the same for all that ask for the same. */
export const fingerprintOfStart = (start: Exchange): string =>
  `${start.resource?.toLowerCase()} ${fingerprintOfBody(sent(start) ?? nothing)}`;

const nothing: Fields = {};

const fingerprintOfBody = memoize((body: Fields): string => {
  const { timeoutSeconds, onCapacityLimit, metadata, ...rest } = body;
  const wish = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(wish).digest('base64');
});

/** Whether a request was sent when the other was over: before that nobody knew what became of it. */
export const isAfter = (earlier: Exchange, later: Exchange): boolean => later.at >= endOf(earlier);

/**
 * Whether its caller sends equal starts anyway: another was taken before this one was over, or was under way with it, or was
 * taken and yet another followed. Each starts an execution of its own, so a further one need not be this one again.
 */
export function isOneOfMany(start: Exchange, exchanges: readonly Exchange[]): boolean {
  const others = exchanges.filter((one) => one !== start && isSameStart(start, one));
  return others.some((one, place) =>
    accepted(one) ? !isAfter(start, one) || place < others.length - 1 : !isAfter(start, one) && !isAfter(one, start),
  );
}
