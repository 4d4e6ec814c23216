import type { Exchange, Response } from '../vocabulary.js';

/** Too many requests, and what a gateway answers for a service that does not: the interface shows none of them. */
const notTheServices = new Set([429, 502, 503, 504]);

/** The complete answer to a request of an operation. */
export const answered = ({ operation, response, failure }: Exchange): Response | undefined =>
  operation === null || failure ? undefined : response;

export const isServices = (status: number): boolean => !notTheServices.has(status);

/** The answer, where it is the service's own. */
export const ownAnswer = (exchange: Exchange): Response | undefined => {
  const response = answered(exchange);
  return response && isServices(response.status) ? response : undefined;
};

/** Whether a media type is JSON's, with or without parameters. https://mimesniff.spec.whatwg.org/#json-mime-type */
export const isJsonType = (type: string): boolean =>
  /^(?:(?:application|text)\/json|[^\s;/]+\/[^\s;]+\+json)\s*(?:;|$)/i.test(type.trim());

/** Whether a request says that its body is something else than JSON: what answers that is not shown. */
export const sendsOtherThanJson = ({ request }: Exchange): boolean => {
  const [, type] = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return request.body.kind !== 'none' && type !== undefined && !isJsonType(type);
};
