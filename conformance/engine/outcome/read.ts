import { type Fields, isFields, isJsonType, isUuid } from '../../../common/values.js';
import { contract, type Operation, type OperationId, type StartField, type StartId } from '../contract.js';
import { memoize } from '../memoize.js';
import type { Exchange } from '../vocabulary.js';
import { hasRightKey, isExcluded, isProbe, isUnjudged } from './mark.js';

/** What a status may mean beyond what the interface says. */

/**
 * `refused`: because of what was asked. `temporary`: may be accepted later, or with another key. `intermediary`:
 * answered by something before the service. `unknown`: it may have taken effect or not.
 */
export type OutcomeKind = 'accepted' | 'refused' | 'temporary' | 'intermediary' | 'unknown';

/**
 * Who answered. `either`: the request is not part of the interface, so a gateway may answer it as well. `firewall`:
 * because of how the request looks. `limit`: a limit of rate or size. `gateway`: in place of a service that does not
 * answer.
 */
export type Answerer = 'service' | 'either' | 'firewall' | 'limit' | 'gateway';

export interface Meaning {
  /** The outcome of a request that should be accepted. Default: it was refused. */
  readonly kind?: OutcomeKind;
  /** The same for an answer with the interface's error body. */
  readonly withErrorBody?: OutcomeKind;
  /** Who answers so, if not the service. */
  readonly by?: Answerer;
  /** Which requests a firewall rejects with it. `valid requests`: a service itself refuses invalid ones with it. */
  readonly blocks?: 'anything' | 'valid requests';
  /** The caller is to authenticate, pay, get permission or slow down. It may be about the key or the rate. */
  readonly rejectsCaller?: true;
  readonly why: string;
}

export const unauthorized = 401;
export const forbidden = 403;
export const notFound = 404;
export const requestTimeout = 408;
export const tooManyRequests = 429;
export const firstServerError = 500;
export const notImplemented = 501;
export const unavailable = 503;

/** Redirects to another place. 304 is not among them: to an unconditional request it is an answer of the service. */
export const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** Statuses of gateways for a service that does not answer: 502 to 504, and their own ones (509, 520, 530, 598). */
export const firstGatewayError = 502;

const meanings: readonly (Meaning & { readonly of: readonly number[] })[] = [
  { of: [400, 422], blocks: 'valid requests', why: 'part of the request may be invalid' },
  { of: [401], kind: 'temporary', rejectsCaller: true, why: 'the service may not know the key at the moment' },
  { of: [402], kind: 'temporary', rejectsCaller: true, why: 'a quota may be used up' },
  { of: [403], kind: 'temporary', rejectsCaller: true, blocks: 'anything', why: 'the key may lack a permission' },
  { of: [406], blocks: 'anything', why: 'a gateway or firewall in front of the service may reject it' },
  { of: [409, 423], kind: 'temporary', why: 'the resource may be in use' },
  // The interface does not limit the size of a request.
  {
    of: [413],
    kind: 'intermediary',
    withErrorBody: 'refused',
    by: 'limit',
    blocks: 'anything',
    why: 'the request may be too large',
  },
  { of: [414, 431], kind: 'intermediary', withErrorBody: 'refused', by: 'limit', why: 'the request may be too large' },
  {
    of: [420],
    kind: 'temporary',
    by: 'limit',
    rejectsCaller: true,
    why: 'a rate or capacity limit may be reached at the moment',
  },
  { of: [429], kind: 'temporary', by: 'limit', why: 'a rate or capacity limit may be reached at the moment' },
  // Nothing was done, so it is not a gateway's status for an unavailable service.
  { of: [501], blocks: 'anything', why: 'a gateway or firewall in front of the service may reject it' },
];
const ofGateway: Meaning = {
  kind: 'intermediary',
  withErrorBody: 'temporary',
  by: 'gateway',
  why: 'the service may be unavailable at the moment',
};
const none: Meaning = { why: 'this status says nothing about the request' };

const byStatus = new Map(meanings.flatMap((meaning) => meaning.of.map((status) => [status, meaning] as const)));

export const meaningOf = (status = 0): Meaning =>
  status >= firstGatewayError ? ofGateway : (byStatus.get(status) ?? none);

/** Whether a text has the form of the id in the path of an operation. */
export function isIdOf(operation: OperationId, text: unknown): boolean {
  const [other] = Object.values(contract().operations[operation].otherIds);
  return other ? typeof text === 'string' && new RegExp(other.pattern, 'u').test(text) : isUuid(text);
}

/** Words, and what is made of them. */
const words = ['word', 'some-words', 'some words', 'SOME_WORDS', 'word2'];

/** The forms of ids in paths that are no UUIDs. One that words have too tells nothing. */
const otherForms = memoize((operations: ReturnType<typeof contract>['operations']) =>
  Object.values(operations)
    .flatMap(({ otherIds }) => Object.values(otherIds))
    .map(({ pattern }) => new RegExp(pattern, 'u'))
    .filter((form) => !words.some((word) => form.test(word))),
);

/** Whether a text can only be an id, by its form. */
export const isId = (text: unknown): text is string =>
  isUuid(text) || (typeof text === 'string' && otherForms(contract().operations).some((form) => form.test(text)));

/** The id in the path, if it has not the form that the operation asks for. */
export const malformedId = ({ operation, resource }: Exchange): string | undefined =>
  operation === null || resource === null || isIdOf(operation, resource) ? undefined : resource;

export const hasMalformedId = (exchange: Exchange): boolean => malformedId(exchange) !== undefined;

// What requests ask for, with deprecated fields under the names that replace them.

/** What a start asks for, whatever the values are. */
export type Asked = { readonly [Field in StartField]?: unknown };

/** The body of a start with old names replaced. Where both names are given, the present one counts. */
export function underPresentNames(request: HasOperation, body: Fields): Asked {
  const old = Object.entries(traitsOf(request)?.deprecatedFields ?? {}).filter(([name, by]) => by && name in body);
  if (old.length === 0) return body;
  const present = { ...body };
  for (const [name, by] of old) {
    if (by) present[by] ??= present[name];
    delete present[name];
  }
  return present;
}

/** What a start asks for; nothing, if its body is no object. */
export const requestFields = memoize((start: Exchange): Asked => underPresentNames(start, requestBody(start) ?? {}));

/** All names of a field of a request, the present one first. */
export const fieldNames = (request: HasOperation, field: StartField): readonly string[] => [
  field,
  ...Object.entries(traitsOf(request)?.deprecatedFields ?? {}).flatMap(([old, by]) => (by === field ? old : [])),
];

/** Whether a request gives a field by an old name. */
export const usesOldName = (request: Exchange, field: StartField): boolean =>
  fieldNames(request, field)
    .slice(1)
    .some((name) => requestBody(request)?.[name] !== undefined);

// Reads the traits of operations, by which code tells these apart, and the content of exchanges.

export interface HasOperation {
  readonly operation: OperationId | null;
}

export const traitsOf = ({ operation }: HasOperation): Operation | undefined =>
  operation === null ? undefined : contract().operations[operation];

/** The headers that an operation is shown with for its key, the usual one first. */
export function documentedKeyHeaders(asked: HasOperation): readonly string[] {
  const { keyHeader, otherKeyHeaders = [] } = traitsOf(asked) ?? {};
  return keyHeader === undefined ? [] : [keyHeader, ...otherKeyHeaders];
}

/** Whether a header carries the key of an operation, whichever. */
export const isKeyHeader = (name: string): boolean => contract().keyHeaders.some((header) => isSameName(header, name));

const makes = (asked: HasOperation, effect: Operation['effect'], resource: string): boolean => {
  const traits = traitsOf(asked);
  return traits?.effect === effect && traits.resource === resource;
};
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
  isReadRequest(asked) && isAbout(asked, resource) && traitsOf(asked)?.key !== null && !awaits(asked);
/** Whether it waits for what was started, and is answered as a start that waits: with the id under the name that it has there. */
export const awaits = (asked: HasOperation): boolean =>
  isReadRequest(asked) &&
  isAbout(asked, contract().kinds.started) &&
  Boolean(traitsOf(asked)?.waits) &&
  traitsOf(asked)?.key === contract().startedId;
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
export const isMeantToPass = (exchange: Exchange): boolean =>
  hasRightKey(exchange) && !isProbe(exchange) && !isUnjudged(exchange) && !isExcluded(exchange);

/** Exchanges that were not retried. */
export const lasting = memoize((exchanges: readonly Exchange[]) => exchanges.filter((one) => !isExcluded(one)));

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

/** The entry for a status in a table by status (`200`), range (`2XX`) or `default`. */
export const entryForStatus = <Said>(said: Readonly<Record<string, Said>>, status: number): Said | undefined =>
  said[status] ?? said[`${Math.floor(status / 100)}XX`] ?? said.default;

/** The id of the copy that a duplication made, even if it should have been refused. */
export const idOfCopy = (exchange: Exchange): string | undefined => {
  const id = isCopyRequest(exchange) && accepted(exchange) ? answerBody(exchange)?.id : undefined;
  return typeof id === 'string' && isId(id) ? id : undefined;
};

/** Whether a request declares a media type that is not JSON: the interface does not show what becomes of that. */
export const sendsOtherThanJson = ({ request: { body, headers } }: Pick<Exchange, 'request'>): boolean => {
  const type = body.kind === 'none' ? undefined : headerOf(headers, 'content-type');
  return type !== undefined && !isJsonType(type);
};
