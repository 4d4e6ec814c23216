import { type Fields, isFields, isJsonType } from '../../../common/values.js';
import { contract, type Operation, type OperationId, type StartId } from '../contract.js';
import { memoize } from '../memoize.js';
import type { Exchange } from '../vocabulary.js';

/** Reads the traits of operations, by which code tells these apart, and the content of exchanges. */

export interface HasOperation {
  readonly operation: OperationId | null;
}

export const traitsOf = ({ operation }: HasOperation): Operation | undefined =>
  operation === null ? undefined : contract().operations[operation];

/** The headers that an operation is shown with for its key, the usual one first. */
export function shownKeyHeaders(asked: HasOperation): readonly string[] {
  const { keyHeader, otherKeyHeaders = [] } = traitsOf(asked) ?? {};
  return keyHeader === undefined ? [] : [keyHeader, ...otherKeyHeaders];
}

/** Whether a header carries the key of an operation, whichever. */
export const isKeyHeader = (name: string): boolean => contract().keyHeaders.some((header) => isSameName(header, name));

const makes = (asked: HasOperation, effect: Operation['effect'], resource: string): boolean =>
  traitsOf(asked)?.effect === effect && traitsOf(asked)?.resource === resource;
export const isStartRequest = (asked: HasOperation): boolean => makes(asked, 'starts', contract().kinds.started);
/** Starts an execution from another one, as a rerun does. Its request does not say what it takes over from that. */
export const isRerunRequest = (asked: HasOperation): boolean =>
  isStartRequest(asked) && traitsOf(asked)?.subject === traitsOf(asked)?.resource;
export const isCopyRequest = (asked: HasOperation): boolean => makes(asked, 'copies', contract().kinds.copied);
export const isReadRequest = (asked: HasOperation): boolean => traitsOf(asked)?.effect === 'reads';
/** Whether it is about one thing of this kind itself, which its path names, and not about what belongs to it. */
export const isAbout = (asked: HasOperation, resource: string): boolean =>
  traitsOf(asked)?.resource === resource && traitsOf(asked)?.subject === resource;
/** Whether it reads one thing of this kind: what it shows has the id of that. */
export const readsOne = (asked: HasOperation, resource: string): boolean =>
  isReadRequest(asked) && isAbout(asked, resource) && traitsOf(asked)?.key !== null;
/** Whether it is answered when what it started has ended, or when it has waited long enough. */
export const isWaitingStart = (asked: HasOperation): boolean =>
  isStartRequest(asked) && Boolean(traitsOf(asked)?.waits);
/** Whether it changes or ends what exists. */
export const changesOrEnds = (asked: HasOperation): boolean =>
  ['changes', 'ends'].includes(traitsOf(asked)?.effect ?? '');
/** Whether it ends the things that its body names. */
export const endsMany = (asked: HasOperation): boolean =>
  traitsOf(asked)?.effect === 'ends' && traitsOf(asked)?.pathParameters.length === 0;
/** Whether what it ends may be gone afterwards: by a DELETE, or by an operation that ends many. */
export const removes = (asked: HasOperation): boolean =>
  endsMany(asked) || (traitsOf(asked)?.effect === 'ends' && traitsOf(asked)?.method === 'DELETE');

export { type Fields, isFields };

/** The object in a field; an empty one if there is none. */
export const objectIn = (fields: Fields | undefined, name: string): Fields => {
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

/** Refused with 4xx, so nothing was done. After a server error that is unknown. */
export const isClientError = (exchange: Exchange): boolean => refused(exchange) && (status(exchange) ?? 0) < 500;

/**
 * Refused because of its key. The right key may be answered 403 for other reasons. In recordings the key is unknown, so
 * only 401 counts.
 */
export const refusedForKey = (exchange: Exchange): boolean => {
  const { credential } = exchange.mark ?? {};
  return status(exchange) === 401 || (status(exchange) === 403 && credential !== undefined && credential !== 'primary');
};

/** Sent by the suite with the right key and without a fault. */
export const isMeantToPass = ({ mark }: Exchange): boolean =>
  mark?.credential === 'primary' &&
  mark.probe === undefined &&
  mark.unjudged === undefined &&
  mark.excluded === undefined;

/** Exchanges that were not retried. */
export const lasting = memoize((exchanges: readonly Exchange[]) => exchanges.filter(({ mark }) => !mark?.excluded));

export const answerBody = (exchange: Exchange): Fields | undefined => {
  const body = exchange.response?.body;
  return body?.kind === 'json' && isFields(body.value) ? body.value : undefined;
};

export const requestBody = (exchange: Exchange): Fields | undefined => {
  const { body } = exchange.request;
  return body.kind === 'json' && isFields(body.value) ? body.value : undefined;
};

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export function headerOf(headers: Exchange['request']['headers'], wanted: string): string | undefined {
  for (const name in headers) if (isSameName(name, wanted)) return headers[name];
  return undefined;
}

export const isStart = (exchange: Exchange): exchange is Exchange & { readonly operation: StartId } =>
  isStartRequest(exchange);

/** The id of what an accepted start began. */
export const startedId = (exchange: Exchange): string | undefined => {
  const { key } = traitsOf(exchange) ?? {};
  const id = isStartRequest(exchange) && key && accepted(exchange) ? answerBody(exchange)?.[key] : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** Whether it has no parameter that it may lack. One may ask for something else, or for a later answer. */
export function isPlainlyAsked({ operation, request }: Exchange): boolean {
  const { queryParameters = [] } = traitsOf({ operation }) ?? {};
  const query = new URL(request.url, 'http://any').searchParams;
  return queryParameters.every(({ required, name }) => required || !query.has(name));
}

/** The entry for a status in a table by status (`200`), range (`2XX`) or `default`. */
export const entryForStatus = <Said>(said: Readonly<Record<string, Said>>, status: number): Said | undefined =>
  said[status] ?? said[`${Math.floor(status / 100)}XX`] ?? said.default;

/** Whether a request declares a media type that is not JSON. The interface does not show the answer to that. */
export const sendsOtherThanJson = (exchange: Exchange): boolean => {
  const { body, headers } = exchange.request;
  const type = body.kind === 'none' ? undefined : headerOf(headers, 'content-type');
  return type !== undefined && !isJsonType(type);
};
