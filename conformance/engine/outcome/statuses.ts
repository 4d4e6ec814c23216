/** What a status may mean beyond what the interface says. */
import type { Answerer, OutcomeKind } from './outcome.js';

export interface Meaning {
  /** The outcome of a request that should be accepted. Default: it was refused. */
  readonly kind?: OutcomeKind;
  /** The same for an answer with the interface's error body. */
  readonly withErrorBody?: OutcomeKind;
  /** Who answers so, if not the service. */
  readonly by?: Answerer;
  /** Which requests a firewall rejects with it. `what is right`: a service itself refuses invalid requests with it. */
  readonly blocks?: 'anything' | 'what is right';
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
  { of: [400, 422], blocks: 'what is right', why: 'something in it is not as it should be' },
  { of: [401], kind: 'temporary', rejectsCaller: true, why: 'the key may not be known for the moment' },
  { of: [402], kind: 'temporary', rejectsCaller: true, why: 'a plan may be used up' },
  { of: [403], kind: 'temporary', rejectsCaller: true, blocks: 'anything', why: 'the key may lack a permission' },
  { of: [406], blocks: 'anything', why: 'something before the service may not take it' },
  { of: [409, 423], kind: 'temporary', why: 'what it is about may be in use' },
  // The interface does not limit the size of a request.
  {
    of: [413],
    kind: 'intermediary',
    withErrorBody: 'refused',
    by: 'limit',
    blocks: 'anything',
    why: 'it may be too long',
  },
  { of: [414, 431], kind: 'intermediary', withErrorBody: 'refused', by: 'limit', why: 'it may be too long' },
  { of: [420], kind: 'temporary', by: 'limit', rejectsCaller: true, why: 'a limit may be met for the moment' },
  { of: [429], kind: 'temporary', by: 'limit', why: 'a limit may be met for the moment' },
  // Nothing was done, so it is not a gateway's status for an unavailable service.
  { of: [501], blocks: 'anything', why: 'something before the service may not take it' },
];
const ofGateway: Meaning = {
  kind: 'intermediary',
  withErrorBody: 'temporary',
  by: 'gateway',
  why: 'the service may be out of order for the moment',
};
const none: Meaning = { why: 'nothing of the service was heard' };

const byStatus = new Map(meanings.flatMap((meaning) => meaning.of.map((status) => [status, meaning] as const)));

export const meaningOf = (status = 0): Meaning =>
  status >= firstGatewayError ? ofGateway : (byStatus.get(status) ?? none);
