/** Answers that are not the service's: what stands between it and the suite lost them, or answered in its place. */
import { contract } from '../contract.js';
import { equal, isUuid } from '../rule/values.js';
import type { Exchange, Failure } from '../vocabulary.js';
import { accepted, answer, isFields, isStart, refused, startedId } from './read.js';
import { copies, traitsOf } from './traits.js';

const lost = new Set<Failure['kind']>(['unreachable', 'tls', 'timeout', 'broken']);

/** What gateways say of a service that does not answer: 502 to 504, and what some have of their own (509, 520, 530, 598). */
export const isGatewayStatus = (status: number): boolean => status > 501;

/** Whether a gateway says that the service did not answer. */
export const isFromGateway = ({ response }: Exchange): boolean =>
  response !== undefined && isGatewayStatus(response.status);

/** The headers by which firewalls say that they ask who is there, some of them with 202 and no page at all. */
const challenging = ['x-amzn-waf-action', 'cf-mitigated'];

/** Whether a firewall answered in place of the service, and says so. */
export const isChallenge = ({ response }: Exchange): boolean =>
  response !== undefined && challenging.some((name) => response.headers[name] !== undefined);

/** A page in place of a body of the contract's, whatever its status: a page of maintenance may well say 200. */
export const isPage = (exchange: Exchange): boolean => {
  const body = exchange.response?.body;
  return (body?.kind === 'not-json' && /^\s*</.test(body.text)) || isChallenge(exchange);
};

/** Whether a request was not sent at all: no connection came about. */
export const isUnsent = ({ failure }: Exchange): boolean => failure?.kind === 'unreachable' || failure?.kind === 'tls';

/**
 * Whether a firewall refused a request for how it looks: to the full key, which may do it, 403 for a body that is odd, and
 * whatever bars one of JSON; or 403 and a page of HTML to a key that is not right. What a restricted key is answered is the
 * service's.
 */
export const isFromFirewall = (exchange: Exchange): boolean => {
  const { mark, request, response } = exchange;
  if (!mark || !response || mark.credential === 'restricted') return false;
  if (mark.odd && request.body.kind === 'json' && mark.credential === 'primary' && isBlockedOnTheWay(exchange))
    return true;
  if (response.status !== 403) return false;
  const isOdd = mark.odd === true || request.body.kind === 'not-json';
  return isPage(exchange) || (isOdd && mark.credential === 'primary' && !hasErrorBody(exchange));
};

/** Whether a request was not let through to the service: refused on the way for how it looks, or broken off each time. */
export const isBlockedOnTheWay = (exchange: Exchange): boolean => {
  const { response, failure } = exchange;
  if (failure) return failure.kind === 'broken';
  if (response === undefined || hasErrorBody(exchange)) return false;
  if (barring.includes(response.status) || (isPage(exchange) && response.status < 500)) return true;
  // A service says so itself of what breaks the contract, as it says whatever it says.
  return mistaken.includes(response.status) && isAsShown(exchange);
};

/** Of how long a request may be nothing is shown: whatever stands before a service may refuse a long one, in its own words. */
export const isTooLong = (exchange: Exchange): boolean =>
  [413, 414, 431].includes(exchange.response?.status ?? 0) && !hasErrorBody(exchange);

/** It was not let through, so nothing was done: no gateway's word for a service that is away. */
const notImplemented = 501;
const barring: readonly number[] = [403, 406, 413, notImplemented];
const mistaken: readonly number[] = [400, 422];

/** Whether a body is as the contract has it. */
export const isAsShown = ({ operation, request: { body } }: Exchange): boolean =>
  body.kind === 'json' && operation !== null && contract().requests[operation]?.(body.value) === true;

/**
 * Whether a start may have been refused for what is in its free fields: on the way, or by a service that does not take every
 * text. What they may hold is not shown.
 */
export const mayBeRefusedForContents = (exchange: Exchange): boolean =>
  isBlockedOnTheWay(exchange) || [400, 403, 413, 422].includes(exchange.response?.status ?? 0);

/** Whether nothing of the service's own was heard, as far as one exchange tells. */
export function isLost(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (failure) return lost.has(failure.kind);
  if (!response) return false;
  if (isPage(exchange) || isCut(exchange) || isRedirect(exchange)) return true;
  return response.status >= 500 && !hasErrorBody(exchange);
}

/** Who asks is to say who it is, to pay, to be allowed, to calm down: what a service says of a key, and others of the pace. */
const turnsAway: readonly number[] = [401, 402, 403, 420];

/** Whether a request was turned away otherwise than its key has it: the full one may do all, a wrong one is answered 401. */
export const isTurnedAway = ({ mark, response }: Exchange): boolean => {
  if (!mark || !response || !turnsAway.includes(response.status)) return false;
  const due = { primary: undefined, restricted: 403 }[mark.credential as 'primary' | 'restricted'] ?? 401;
  return mark.credential === 'primary' || response.status !== due;
};

const notFound = 404;

/**
 * Whether whoever asked for what is there was told that it is not, or a key that may not ask was told of anything: a service
 * that is being replaced says so of everything, in the words of the contract.
 */
export const isUnexpected404 = ({ mark, response }: Exchange): boolean => {
  if (!mark || mark.odd || response?.status !== notFound) return false;
  return mark.credential === 'primary' ? !mark.probe : mark.probe !== undefined;
};

/**
 * Whether an answer is none that the interface shows: lost, an error without an error body, a success without what it is
 * for. It may be somebody else's, who answers so for a while; the service's own comes again when it is asked again.
 */
export function isOutsideContract(exchange: Exchange): boolean {
  const { operation, response } = exchange;
  if (isLost(exchange)) return true;
  if (!response || operation === null) return false;
  if (!accepted(exchange)) return refused(exchange) && !hasErrorBody(exchange);
  const shown = answer(exchange);
  const has = (field: string) => shown?.[field] !== undefined;
  const [field] = contract().operations[operation].essential ?? [];
  return field !== undefined && !(has(field) && (contract().knownBy[operation]?.some(has) ?? true));
}

/** A success without a body: what answers the deletion of a pool is not shown. */
export const isEmpty = (exchange: Exchange): boolean => accepted(exchange) && exchange.response?.body.kind === 'none';

/**
 * Whether two refusals of a request are by the same hand, though the first is not as the interface has it: the same status
 * with the same message, or with nothing in it that the other has not.
 */
export function saysNearlyTheSame(first: Exchange, second: Exchange): boolean {
  const [one, other] = [answer(first), answer(second)];
  if (!one || !other || !refused(first) || first.response?.status !== second.response?.status) return false;
  const isIn = (field: string) => one[field] !== undefined && equal(one[field], other[field]);
  return isIn('message') || (isIn('code') && Object.keys(one).every(isIn));
}

/**
 * Whether what is no request of the interface, for its id or for what is no JSON, was refused as no contract says: whatever
 * stands before a service may do so, before it asks for a key. A page for such an id is as good an answer as any.
 */
export const mayBeAnsweredByGateway = (exchange: Exchange): boolean => {
  const { mark, request, resource } = exchange;
  if (mark?.credential !== 'primary' || !refused(exchange) || !isOutsideContract(exchange) || isFromFirewall(exchange))
    return false;
  return request.body.kind === 'not-json' || (resource !== null && !isUuid(resource) && !isPage(exchange));
};

/** To another place: 304, to a request that asked for no condition, is an answer of the service's. */
export const isRedirect = ({ response }: Exchange): boolean =>
  response !== undefined && [301, 302, 303, 307, 308].includes(response.status);

/** JSON that ends before its end, or before its beginning: whoever passed it on lost the rest. */
function isCut(exchange: Exchange): boolean {
  const { body } = exchange.response ?? {};
  if (body?.kind === 'none') return accepted(exchange) && (traitsOf(exchange)?.essential ?? null) !== null;
  if (body?.kind !== 'not-json' || !/^\s*[[{]/.test(body.text)) return false;
  const place = /at position (\d+)/.exec(body.error)?.[1];
  return /Unexpected end|Unterminated/.test(body.error) || Number(place) >= Math.min(body.text.length, body.bytes);
}

/** Whether a start with the full key, which was not to be refused, may have begun something whose id nobody heard. */
export const mayHaveBegun = (exchange: Exchange): boolean =>
  isStart(exchange) && mayHaveMade(exchange) && (!accepted(exchange) || startedId(exchange) === undefined);

/** Whether such a start was under way when the run was stopped: what it began goes on. */
export const wasUnderWay = (exchange: Exchange): boolean =>
  isStart(exchange) &&
  exchange.failure?.kind === 'stopped' &&
  exchange.mark?.credential === 'primary' &&
  exchange.mark.probe === undefined;

/** Whether a duplication with the full key, which was not to be refused, made a copy, or may have. */
export const mayHaveCopied = (exchange: Exchange): boolean =>
  copies(exchange) && mayHaveMade(exchange) && (accepted(exchange) || asksForCopy(exchange));

/** Its body may be left out. What breaks the contract is only ever asked of what does not exist. */
const asksForCopy = (exchange: Exchange): boolean => exchange.request.body.kind === 'none' || isAsShown(exchange);

const requestTimeout = 408;

/**
 * It was sent, and nobody refused it: a gateway's timeout, in whichever words, is none. The service's own error to what is odd
 * is one.
 */
function mayHaveMade(exchange: Exchange): boolean {
  const { mark, failure, response } = exchange;
  if (mark?.credential !== 'primary' || mark.probe || saysUnavailable(exchange)) return false;
  if (mark.odd && isOwnError(exchange) && !isFromGateway(exchange)) return false;
  if (accepted(exchange)) return !isPage(exchange);
  if (failure) return isLost(exchange) && !isUnsent(exchange);
  if (response?.status === notImplemented && isBlockedOnTheWay(exchange)) return false;
  return response !== undefined && (response.status >= 500 || response.status === requestTimeout);
}

/** interface: Errors rule 2 shows no status: at a limit a service may answer a start 503 itself, with an error body of the contract's. */
export const saysUnavailable = (exchange: Exchange): boolean =>
  isStart(exchange) && exchange.response?.status === 503 && hasErrorBody(exchange);

/** An error of the service itself, which it may well not make again. */
export const isOwnError = (exchange: Exchange): boolean =>
  exchange.response !== undefined && exchange.response.status >= 500 && hasErrorBody(exchange);

/** Every error body of the interface has a code and a message. */
function hasErrorBody({ response }: Exchange): boolean {
  const value = response?.body.kind === 'json' ? response.body.value : undefined;
  const { code, message } = contract().errorBody;
  return isFields(value) && typeof value[code] === 'number' && typeof value[message] === 'string';
}
