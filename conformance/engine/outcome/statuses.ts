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
