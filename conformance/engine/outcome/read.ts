import { contract, type Operation, type OperationId, type StartId } from '../contract.js';
import type { Exchange } from '../vocabulary.js';

/** What the contract says of an operation: what tells one from others is asked here, not its name. */

export interface Asked {
  readonly operation: OperationId | null;
}

/** Undefined for what is no operation of the contract. */
export const traitsOf = ({ operation }: Asked): Operation | undefined =>
  operation === null ? undefined : contract().operations[operation];

export const starts = (asked: Asked): boolean => traitsOf(asked)?.effect === 'starts';
/** Starts something from another of its kind, as a rerun does: what it takes from that, its request does not say. */
export const repeats = (asked: Asked): boolean =>
  starts(asked) && traitsOf(asked)?.subject === traitsOf(asked)?.resource;
export const copies = (asked: Asked): boolean => traitsOf(asked)?.effect === 'copies';
export const reads = (asked: Asked): boolean => traitsOf(asked)?.effect === 'reads';
/** Whether it makes what is there go otherwise, or end. */
export const steers = (asked: Asked): boolean => ['changes', 'ends'].includes(traitsOf(asked)?.effect ?? '');
/** Ends what its body names, one of them or many. */
export const endsMany = (asked: Asked): boolean =>
  traitsOf(asked)?.effect === 'ends' && traitsOf(asked)?.pathParameters.length === 0;
/** Whether what it ends is there no more: HTTP's own word for that. Of many nobody says, so it may be. */
export const removes = (asked: Asked): boolean =>
  endsMany(asked) || (traitsOf(asked)?.effect === 'ends' && traitsOf(asked)?.method === 'DELETE');

/** Reading what an exchange says, without trusting its shape. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a field holds; an empty one where it holds none. */
export const within = (fields: Fields | undefined, name: string): Fields => {
  const inner = fields?.[name];
  return isFields(inner) ? inner : {};
};

export const status = (exchange: Exchange): number | undefined => exchange.response?.status;

/** Answered 2xx. */
export const accepted = (exchange: Exchange): boolean => {
  const code = status(exchange);
  return code !== undefined && code >= 200 && code < 300;
};

/** Answered outside 2xx and 3xx: what the interface calls a failure. */
export const refused = (exchange: Exchange): boolean => (status(exchange) ?? 0) >= 400;

/** Refused for what it asks, so that nothing was done of it; of an error of the service's own nobody knows. */
export const declined = (exchange: Exchange): boolean => refused(exchange) && (status(exchange) ?? 0) < 500;

/** Sent by the suite with the right key and without a fault. */
export const isMeantToPass = ({ mark }: Exchange): boolean =>
  mark?.credential === 'primary' &&
  mark.probe === undefined &&
  mark.unjudged === undefined &&
  mark.retried === undefined;

/** The JSON object that was answered, or undefined. */
export const answer = (exchange: Exchange): Fields | undefined => {
  const body = exchange.response?.body;
  return body?.kind === 'json' && isFields(body.value) ? body.value : undefined;
};

/** The JSON object that was sent, or undefined. */
export const sent = (exchange: Exchange): Fields | undefined => {
  const { body } = exchange.request;
  return body.kind === 'json' && isFields(body.value) ? body.value : undefined;
};

/** The value of a header, whose name is given in lower case. */
export function headerOf(headers: Exchange['request']['headers'], wanted: string): string | undefined {
  for (const name in headers) if (name.toLowerCase() === wanted) return headers[name];
  return undefined;
}

/** A request to start something. */
export const isStart = (exchange: Exchange): exchange is Exchange & { readonly operation: StartId } => starts(exchange);

/** The id of what a start was accepted with. */
export const startedId = (exchange: Exchange): string | undefined => {
  const { effect, key } = traitsOf(exchange) ?? {};
  const id = effect === 'starts' && key && accepted(exchange) ? answer(exchange)?.[key] : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** Whether a media type is JSON's, with or without parameters; a gateway may say it twice. https://mimesniff.spec.whatwg.org/#json-mime-type */
export const isJsonType = (type: string): boolean =>
  /^(?:(?:application|text)\/json|[^\s;/]+\/[^\s;,]+\+json)\s*(?:[;,]|$)/i.test(type.trim());

/** Of what the contract says by status or range, what it says of a status. */
export const ofStatus = <Said>(said: Readonly<Record<string, Said>>, status: number): Said | undefined =>
  said[status] ?? said[`${Math.floor(status / 100)}XX`] ?? said.default;

/** Whether a success is, by its media type, one that the contract has beside JSON: a file, or a stream. */
export function isOtherThanJson(exchange: Exchange): boolean {
  const { response } = exchange;
  const { successes = {} } = traitsOf(exchange) ?? {};
  const [type = ''] = response?.headers['content-type']?.toLowerCase().split(/\s*;/) ?? [];
  const { mediaTypes = [] } = (response && accepted(exchange) && ofStatus(successes, response.status)) || {};
  return !isJsonType(type) && mediaTypes.some((one) => one.toLowerCase() === type);
}

/** Whether a request says that its body is something else than JSON, and than the contract takes: what answers that is not shown. */
export const sendsOtherThanJson = (exchange: Exchange): boolean => {
  const { body, headers } = exchange.request;
  const type = body.kind === 'none' ? undefined : headerOf(headers, 'content-type');
  return type !== undefined && !isJsonType(type) && !takes(exchange, type);
};

const takes = (exchange: Exchange, type: string): boolean =>
  traitsOf(exchange)?.requestTypes.includes(type.toLowerCase().replace(/\s*;.*/, '')) === true;

/** Whether what it sends is none of the JSON that is asked for, nor of what else the contract takes. */
export const sendsNoJson = (exchange: Exchange): boolean => {
  const { body, headers } = exchange.request;
  return body.kind === 'not-json' && !takes(exchange, headerOf(headers, 'content-type') ?? '');
};
