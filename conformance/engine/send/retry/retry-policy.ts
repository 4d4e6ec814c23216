/** Whether, when and how often a request is sent again after what became of it. */
import { contract } from '../../contract.js';
import { isHtmlPage, isLost, isOutsideContract, isOwnError, outcomeOf } from '../../outcome/outcome.js';
import { isCopyRequest, isReadRequest, isStartRequest, refused, status, traitsOf } from '../../outcome/read.js';
import { tooManyRequests, unavailable } from '../../outcome/statuses.js';
import { suite } from '../../suite.js';
import type { Exchange, Response } from '../../vocabulary.js';
import type { RequestSpec } from '../request-spec.js';

/** The first pause, in milliseconds. It doubles with each retry, up to the longest. */
const firstMs = 200;
const longestMs = 5000;
/** The pause before a retry that has to observe something that does not last. */
const soonMs = 20;
/** After a 429 that does not say how long to wait: the first pause, and how often a start is retried. */
const limitMs = 1000;
const mostUnsaid = 7;

/** Whether no service has to accept the body: it is not valid JSON, or violates its schema. */
const isToBeRefused = ({
  operation,
  body,
  raw,
  unjudged,
}: Pick<RequestSpec, 'operation' | 'body' | 'raw' | 'unjudged'>): boolean =>
  raw !== undefined || (unjudged === true && contract().requests[operation]?.(body) === false);

/** Whether a repetition does no harm: the request reads, changes nothing, or has to be refused. */
export const isSafe = (
  ask: Pick<RequestSpec, 'operation' | 'probe' | 'credential' | 'body' | 'raw' | 'unjudged'>,
): boolean => {
  const { probe, credential = 'primary', body, raw } = ask;
  return (
    isReadRequest(ask) ||
    probe !== undefined ||
    credential !== 'primary' ||
    (traitsOf(ask)?.effect === 'changes' && raw === undefined && suite().isNoop(body)) ||
    isToBeRefused(ask)
  );
};

/**
 * Whether a request may be repeated although it may have taken effect: a deletion has no further effect, and one more
 * copy is reported like the others.
 */
const mayTakeEffectTwice = (ask: RequestSpec): boolean =>
  isCopyRequest(ask) || contract().operations[ask.operation].repeatable;

const mostOwnErrors = 2;
/** Enough for half a minute, in which a service is being replaced. */
const mostAway = 9;

/** How often a request is retried, by how its answer was lost. */
function most(exchange: Exchange, ask: RequestSpec): number {
  if (exchange.failure?.kind === 'timeout') return 1;
  // If nobody was ever there, the run is to end soon. OutageMonitor waits for a service that was there before.
  if (outcomeOf(exchange).form === 'unsent') return 2;
  if (outcomeOf(exchange).by === 'gateway') return mostAway;
  if (!isLost(exchange) || isHtmlPage(exchange)) return 3;
  // The odd part of an unjudged start may be what breaks the connection, and each attempt may have begun an execution.
  return ask.unjudged && isStartRequest(ask) ? 1 : 5;
}

/**
 * Whether an answer allows a retry. A lost request may have taken effect, so it has to be one that does no harm twice;
 * one that was not sent or was refused may always be repeated.
 */
export const mayBeRetried = (exchange: Exchange, ask: RequestSpec): boolean =>
  (isOutsideContract(exchange) ||
    (outcomeOf(exchange).unexpected === 'turned away' && !ask.mayBeRefused) ||
    (isOwnError(exchange) && isSafe(ask))) &&
  status(exchange) !== tooManyRequests &&
  (outcomeOf(exchange).form === 'unsent' ||
    (refused(exchange) && !isLost(exchange)) ||
    isSafe(ask) ||
    (mayTakeEffectTwice(ask) && isLost(exchange)));

/** How long to wait before a retry, in milliseconds; undefined for no retry. `attempt` counts from 0. */
export function pauseBefore(exchange: Exchange, ask: RequestSpec, attempt: number, now: number): number | undefined {
  const growing = (first: number) => Math.min(first * 2 ** attempt, longestMs);
  const asked = retryAfter(exchange, now);
  if (status(exchange) === tooManyRequests) {
    // Such a limit may be one of running executions, which lasts.
    const isUnsaid = asked === undefined && (ask.mayBeAtCapacity || (isStartRequest(ask) && attempt > mostUnsaid));
    if (ask.mayBeOverLimit || isUnsaid) return undefined;
    return Math.max(asked ?? growing(limitMs), asked === 0 ? growing(firstMs / 2) : 0);
  }
  if (isOwnError(exchange)) {
    // The service is temporarily unavailable, and says for how long.
    const isAway = status(exchange) === unavailable && asked !== undefined;
    const isOver = !isSafe(ask) || ask.mayBeOverLimit || attempt >= (isAway ? mostAway : mostOwnErrors);
    return isOver ? undefined : Math.max(isAway ? asked : 0, growing(firstMs));
  }
  if (!mayBeRetried(exchange, ask) || attempt >= most(exchange, ask)) return undefined;
  // At its rate limit a service may answer 503 itself, but not with an HTML page.
  if (ask.mayBeOverLimit && !exchange.failure)
    return (isHtmlPage(exchange) || status(exchange) !== unavailable) && attempt < 2 ? soonMs : undefined;
  return Math.max(asked ?? 0, growing(firstMs));
}

/**
 * Whether a 429 is about the rate of all requests. For a start, a 429 that does not say when to come back may be about
 * capacity, which only concerns starts.
 */
export const isRateLimit = (exchange: Exchange): boolean =>
  exchange.response?.status === tooManyRequests &&
  (headerOf(exchange.response) !== undefined || !isStartRequest(exchange));

/** Headers that targets send with every answer. They say when to come back only if nothing remains of the limit. */
const limits = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
const isUsedUp = ({ headers }: Response, limit: string): boolean => !(Number(headers[`${limit}-remaining`]) > 0);
/** The value of the first header that says when to come back. */
const headerOf = (response: Response): string | undefined =>
  [
    response.headers['retry-after'],
    ...limits.filter((limit) => isUsedUp(response, limit)).map((limit) => response.headers[`${limit}-reset`]),
  ].find((value) => value !== undefined);

/** A larger number is not a delay in seconds but a time since the epoch. */
const aYear = 31_536_000;
const aDay = 86_400_000;

/** Milliseconds to wait; undefined if the target does not say. A date is relative to the target's own clock. */
function retryAfter({ response }: Exchange, now: number): number | undefined {
  const value = response && headerOf(response);
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const isNumber = value.trim() !== '' && Number.isFinite(seconds);
  if (isNumber && seconds <= aYear) return Math.max(seconds * 1000, 0);
  const there = Date.parse(response?.headers.date ?? '');
  // A clock that is off by more than a day is ignored.
  const since = Math.abs(there - now) < aDay ? there : now;
  const ms = (isNumber ? seconds * 1000 : Date.parse(value)) - since;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
