import { contract } from '../../contract.js';
import { isLost, isOutsideContract, isOwnError, isPage, outcomeOf } from '../../outcome/outcome.js';
import { copies, reads, refused, starts, status, traitsOf } from '../../outcome/read.js';
import { busy, unavailable } from '../../outcome/statuses.js';
import type { Exchange, Response } from '../../vocabulary.js';
import type { RequestSpec } from '../request-spec.js';

/** The first pause, in milliseconds; each next one is twice as long, up to the longest. */
const firstMs = 200;
const longestMs = 5000;
/** What has to be met while it lasts is asked for again right away. */
const soonMs = 20;
/** A limit of which nobody says when it is over, and how often who may be over it asks again. */
const limitMs = 1000;
const mostUnsaid = 7;

/** Whether a body is one that nobody has to take: not as JSON is sent, or against its schema. */
const isToBeRefused = ({
  operation,
  body,
  raw,
  unjudged,
}: Pick<RequestSpec, 'operation' | 'body' | 'raw' | 'unjudged'>): boolean =>
  raw !== undefined || (unjudged === true && contract().requests[operation]?.(body) === false);

/** Whether a request does no harm twice: it reads, or is to be refused. */
export const isSafe = (
  ask: Pick<RequestSpec, 'operation' | 'probe' | 'credential' | 'body' | 'raw' | 'unjudged'>,
): boolean => {
  const { probe, credential = 'primary', body, raw } = ask;
  return (
    reads(ask) ||
    probe !== undefined ||
    credential !== 'primary' ||
    (traitsOf(ask)?.effect === 'changes' && raw === undefined && contract().isIdle(body)) ||
    isToBeRefused(ask)
  );
};

/**
 * Whether a request may be sent again though it may have taken effect: what is deleted stays deleted, and one copy more is
 * told of like the others.
 */
const mayTakeEffectTwice = (ask: RequestSpec): boolean =>
  copies(ask) || contract().operations[ask.operation].repeatable;

const mostOwnErrors = 2;
/** A service may be away for half a minute, while it is replaced. */
const mostAway = 9;

/** How often a request is sent again whose answer was lost, by what became of it. */
function most(exchange: Exchange, ask: RequestSpec): number {
  if (exchange.failure?.kind === 'timeout') return 1;
  // Where nobody ever was, it is told soon; a service that was there is waited for.
  if (outcomeOf(exchange).form === 'unsent') return 2;
  if (outcomeOf(exchange).by === 'gateway') return mostAway;
  if (!isLost(exchange) || isPage(exchange)) return 3;
  // What is unjudged about a start may be what breaks its connection, and each that breaks may have begun an execution.
  return ask.unjudged && starts(ask) ? 1 : 5;
}

/**
 * Whether a request may be sent again for what became of it. What was lost may have taken effect; what was not sent, or
 * refused, or reads, or is to be refused, does no harm twice.
 */
export const mayBeAsked = (exchange: Exchange, ask: RequestSpec): boolean =>
  (isOutsideContract(exchange) ||
    (outcomeOf(exchange).unexpected === 'turned away' && !ask.mayBeRefused) ||
    (isOwnError(exchange) && isSafe(ask))) &&
  status(exchange) !== busy &&
  (outcomeOf(exchange).form === 'unsent' ||
    isRefused(exchange, ask) ||
    isSafe(ask) ||
    (mayTakeEffectTwice(ask) && isLost(exchange)));

/** Of a start that was barred its plain twin is asked for, where it has one. */
const isRefused = (exchange: Exchange, ask: RequestSpec): boolean =>
  refused(exchange) &&
  !isLost(exchange) &&
  !(starts(ask) && outcomeOf(exchange).isBarred && contract().withoutFreeFields(ask.body) !== undefined);

/**
 * How long to wait before a request is sent again, in milliseconds; undefined where it is not. `attempt` counts from 0.
 * What was refused for its pace may be sent again whatever it is; what was lost, only where it does no harm twice.
 */
export function pauseBefore(exchange: Exchange, ask: RequestSpec, attempt: number, now: number): number | undefined {
  const growing = (first: number) => Math.min(first * 2 ** attempt, longestMs);
  const asked = retryAfter(exchange, now);
  if (status(exchange) === busy) {
    // A limit of which nobody says when it is over may be one of executions, which lasts.
    const isUnsaid = asked === undefined && (ask.mayBeAtCapacity || (starts(ask) && attempt > mostUnsaid));
    if (ask.mayBeOverLimit || isUnsaid) return undefined;
    return Math.max(asked ?? growing(limitMs), asked === 0 ? growing(firstMs / 2) : 0);
  }
  if (isOwnError(exchange)) {
    // It is not there for now, and tells when it will be.
    const isAway = status(exchange) === unavailable && asked !== undefined;
    const isOver = !isSafe(ask) || ask.mayBeOverLimit || attempt >= (isAway ? mostAway : mostOwnErrors);
    return isOver ? undefined : Math.max(isAway ? asked : 0, growing(firstMs));
  }
  if (!mayBeAsked(exchange, ask) || attempt >= most(exchange, ask)) return undefined;
  // At the limit a service may answer 503 itself, though not with a page.
  if (ask.mayBeOverLimit && !exchange.failure)
    return (isPage(exchange) || status(exchange) !== unavailable) && attempt < 2 ? soonMs : undefined;
  return Math.max(asked ?? 0, growing(firstMs));
}

/**
 * Whether a 429 speaks of the pace of all requests. One of a start that does not say when to come back may be one of
 * capacity, which is that start's affair alone.
 */
export const isOfPace = (exchange: Exchange): boolean =>
  exchange.response?.status === busy && (headerOf(exchange.response) !== undefined || !starts(exchange));

/** What a target tells of its limits on every answer says when to come back only where nothing is left of them. */
const limits = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
const isUsedUp = ({ headers }: Response, limit: string): boolean => !(Number(headers[`${limit}-remaining`]) > 0);
/** The first header that says when to come back. */
const headerOf = (response: Response): string | undefined =>
  [
    response.headers['retry-after'],
    ...limits.filter((limit) => isUsedUp(response, limit)).map((limit) => response.headers[`${limit}-reset`]),
  ].find((value) => value !== undefined);

/** Larger numbers of seconds are times since the epoch. */
const aYear = 31_536_000;
const aDay = 86_400_000;

/** Milliseconds to wait, or undefined where the target does not say. A date is one of the target's clock. */
function retryAfter({ response }: Exchange, now: number): number | undefined {
  const value = response && headerOf(response);
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const isNumber = value.trim() !== '' && Number.isFinite(seconds);
  if (isNumber && seconds <= aYear) return Math.max(seconds * 1000, 0);
  const there = Date.parse(response?.headers.date ?? '');
  // A clock that is off by more than a day is none.
  const since = Math.abs(there - now) < aDay ? there : now;
  const ms = (isNumber ? seconds * 1000 : Date.parse(value)) - since;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
