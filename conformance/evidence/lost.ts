/** Answers that are not the service's: what stands between it and the suite lost them, or answered in its place. */
import type { OperationId } from '../../generated/operations.js';
import type { Exchange, Failure } from '../vocabulary.js';
import { accepted, answer, isFields, isStart, refused } from './read.js';

const lost = new Set<Failure['kind']>(['unreachable', 'tls', 'timeout', 'broken']);

/**
 * Whether a gateway says that the service did not answer: 502 to 504, and those that some have of their own (520 to 530,
 * 598, 599).
 */
export const isGateways = ({ response }: Exchange): boolean =>
  response !== undefined && ((response.status > 501 && response.status < 505) || response.status >= 520);

/** A page in place of a body of the contract's, whatever its status: a page of maintenance may well say 200. */
export const isPage = ({ response }: Exchange): boolean =>
  response?.body.kind === 'not-json' && /^\s*</.test(response.body.text);

/** Whether a request was not sent at all: no connection came about. */
export const isUnsent = ({ failure }: Exchange): boolean => failure?.kind === 'unreachable' || failure?.kind === 'tls';

/**
 * Whether a firewall refused a request for how it looks: 403 to the full key, which may do it, for a body that is odd; or a
 * page of HTML to a key that is not right. What a restricted key is answered is the service's.
 */
export const isFirewalls = (exchange: Exchange): boolean => {
  const { mark, request, response } = exchange;
  if (!mark || response?.status !== 403 || mark.credential === 'restricted') return false;
  const isOdd = mark.odd === true || request.body.kind === 'not-json';
  return isPage(exchange) || (isOdd && mark.credential === 'primary' && !isContracts(exchange));
};

/** Whether a request was not let through to the service: refused on the way for how it looks, or broken off each time. */
export const isBarred = (exchange: Exchange): boolean => {
  const { response, failure } = exchange;
  if (failure) return failure.kind === 'broken';
  if (response === undefined || isContracts(exchange)) return false;
  return [403, 406, 413].includes(response.status) || (isPage(exchange) && response.status < 500);
};

/** Whether nothing of the service's own was heard, as far as one exchange tells. */
export function isLost(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (failure) return lost.has(failure.kind);
  if (!response) return false;
  if (isPage(exchange) || isCut(exchange) || isRedirect(exchange)) return true;
  return response.status >= 500 && !isContracts(exchange);
}

/** What an answer has to have at the least, to be one of the operation. What answers the deletion of a pool is not shown. */
const essential: Readonly<Partial<Record<OperationId, string>>> = {
  execute: 'executionId',
  executeSync: 'executionId',
  getExecution: 'status',
  listExecutionFiles: 'directories',
  updateProfile: 'id',
  duplicateProfile: 'id',
};

/**
 * Whether an answer is none that the interface shows: lost, an error without an error body, a success without what it is
 * for. It may be somebody else's, who answers so for a while; the service's own comes again when it is asked again.
 */
export function isStrange(exchange: Exchange): boolean {
  const { operation, response } = exchange;
  if (isLost(exchange)) return true;
  if (!response || operation === null) return false;
  if (!accepted(exchange)) return refused(exchange) && !isContracts(exchange);
  const field = essential[operation];
  return field !== undefined && answer(exchange)?.[field] === undefined;
}

/** To another place: 304, to a request that asked for no condition, is an answer of the service's. */
const isRedirect = ({ response }: Exchange): boolean =>
  response !== undefined && [301, 302, 303, 307, 308].includes(response.status);

/** JSON that ends before its end, or before its beginning: whoever passed it on lost the rest. */
function isCut(exchange: Exchange): boolean {
  const { body } = exchange.response ?? {};
  if (body?.kind === 'none')
    return accepted(exchange) && exchange.operation !== null && exchange.operation in essential;
  if (body?.kind !== 'not-json' || !/^\s*[[{]/.test(body.text)) return false;
  const place = /at position (\d+)/.exec(body.error)?.[1];
  return /Unexpected end|Unterminated/.test(body.error) || Number(place) >= Math.min(body.text.length, body.bytes);
}

/** interface: Errors rule 2 shows no status: at a limit a service may answer a start 503 itself, with an error body of the contract's. */
export const saysUnavailable = (exchange: Exchange): boolean =>
  isStart(exchange) && exchange.response?.status === 503 && isContracts(exchange);

/** An error of the service itself, which it may well not make again. */
export const isOwnError = (exchange: Exchange): boolean =>
  exchange.response !== undefined && exchange.response.status >= 500 && isContracts(exchange);

/** Both error bodies of the interface have a code and a message. */
function isContracts({ response }: Exchange): boolean {
  const value = response?.body.kind === 'json' ? response.body.value : undefined;
  return isFields(value) && typeof value.code === 'number' && typeof value.message === 'string';
}
