import { isUuid } from '../rule/values.js';
import type { Exchange, Response } from '../vocabulary.js';
import { isFromFirewall, isGatewayStatus, isPage } from './lost.js';
import { headerOf } from './read.js';

/**
 * Too much at once (a body, an address, headers, requests), and what a gateway answers for a service that does not: the
 * interface shows none of them, and whatever stands before a service may answer so.
 */
const tooMuch: ReadonlySet<number> = new Set([413, 414, 420, 429, 431]);

/** The complete answer to a request of an operation. */
export const answered = ({ operation, response, failure }: Exchange): Response | undefined =>
  operation === null || failure ? undefined : response;

export const isServices = (status: number): boolean => !tooMuch.has(status) && !isGatewayStatus(status);

/** The answer, where it is the service's own. */
export const ownAnswer = (exchange: Exchange): Response | undefined => {
  const response = answered(exchange);
  return response && isServices(response.status) && !isFromFirewall(exchange) ? response : undefined;
};

/**
 * The service's own answer, where the interface says what its body is. What says that it is no JSON, or has an id that is no
 * UUID, is no request of the interface: a page of HTML is as good an answer as any.
 */
export const boundAnswer = (exchange: Exchange): Response | undefined => {
  const isForeign = sendsOtherThanJson(exchange) || (exchange.resource !== null && !isUuid(exchange.resource));
  return (isForeign && isPage(exchange)) || exchange.mark?.answeredByGateway ? undefined : ownAnswer(exchange);
};

/** Whether a media type is JSON's, with or without parameters; a gateway may say it twice. https://mimesniff.spec.whatwg.org/#json-mime-type */
export const isJsonType = (type: string): boolean =>
  /^(?:(?:application|text)\/json|[^\s;/]+\/[^\s;,]+\+json)\s*(?:[;,]|$)/i.test(type.trim());

/** Whether a request says that its body is something else than JSON: what answers that is not shown. */
export const sendsOtherThanJson = ({ request }: Exchange): boolean => {
  if (request.body.kind === 'none') return false;
  const type = headerOf(request.headers, 'content-type');
  return type !== undefined && !isJsonType(type);
};
