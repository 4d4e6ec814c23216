/** Answers that are not the service's: what stands between it and the suite lost them, or answered in its place. */
import type { Exchange, Failure } from '../vocabulary.js';
import { isFields, isStart } from './read.js';

/** A gateway answers so for a service that does not. */
const gateways = new Set([502, 503, 504]);
const lost = new Set<Failure['kind']>(['unreachable', 'timeout', 'broken']);

/** Whether a gateway says that the service did not answer. */
export const isGateways = ({ response }: Exchange): boolean => response !== undefined && gateways.has(response.status);

/** An error that is a page and no body of the contract's. */
export const isPage = ({ response }: Exchange): boolean =>
  response !== undefined &&
  response.status >= 400 &&
  response.body.kind === 'not-json' &&
  /^\s*</.test(response.body.text);

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
  return response !== undefined && [403, 406, 413].includes(response.status) && !isContracts(exchange);
};

/** Whether nothing of the service's own was heard, as far as one exchange tells. */
export function isLost(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (failure) return lost.has(failure.kind);
  if (!response) return false;
  return isPage(exchange) || isCut(exchange) || (isGateways(exchange) && !isContracts(exchange));
}

/** JSON that ends before its end: whoever passed it on lost the rest. */
function isCut({ response }: Exchange): boolean {
  const { body } = response ?? {};
  if (body?.kind !== 'not-json' || !/^\s*[[{]/.test(body.text)) return false;
  const place = /at position (\d+)/.exec(body.error)?.[1];
  return /Unexpected end|Unterminated/.test(body.error) || Number(place) >= Math.min(body.text.length, body.bytes);
}

/** interface: Errors rule 2 shows no status: at a limit a service may answer a start 503 itself, with an error body of the contract's. */
export const saysUnavailable = (exchange: Exchange): boolean =>
  isStart(exchange) && exchange.response?.status === 503 && isContracts(exchange);

/** Both error bodies of the interface have a code and a message. */
function isContracts({ response }: Exchange): boolean {
  const value = response?.body.kind === 'json' ? response.body.value : undefined;
  return isFields(value) && typeof value.code === 'number' && typeof value.message === 'string';
}
