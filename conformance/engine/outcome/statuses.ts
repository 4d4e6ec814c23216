/** What a status may mean beside what the interface shows of it. */
import type { By, Kind } from './outcome.js';

export interface Meaning {
  /** What it tells of a request that should be accepted. Default: it was refused. */
  readonly kind?: Kind;
  /** The same, where it has an error body of the interface's. */
  readonly inItsWords?: Kind;
  /** Who else than the service answers so. */
  readonly by?: By;
  /** What firewalls bar with it. `what is right`: a service refuses with it what is wrong. */
  readonly bars?: 'anything' | 'what is right';
  /** Who asks is to say who it is, to pay, to be allowed, to calm down: services say it of a key, and others of the pace. */
  readonly turnsAway?: true;
  readonly why: string;
}

export const unauthorized = 401;
export const forbidden = 403;
export const notFound = 404;
export const requestTimeout = 408;
export const busy = 429;
export const firstOfErrors = 500;
export const notImplemented = 501;
export const unavailable = 503;

/** To another place: 304, to a request that asked for no condition, is an answer of the service's. */
export const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** What gateways say of a service that does not answer: 502 to 504, and what some have of their own (509, 520, 530, 598). */
export const firstOfGateways = 502;

const meanings: readonly (Meaning & { readonly of: readonly number[] })[] = [
  { of: [400, 422], bars: 'what is right', why: 'something in it is not as it should be' },
  { of: [401], kind: 'temporary', turnsAway: true, why: 'the key may not be known for the moment' },
  { of: [402], kind: 'temporary', turnsAway: true, why: 'a plan may be used up' },
  { of: [403], kind: 'temporary', turnsAway: true, bars: 'anything', why: 'the key may lack a permission' },
  { of: [406], bars: 'anything', why: 'something before the service may not take it' },
  { of: [409, 423], kind: 'temporary', why: 'what it is about may be in use' },
  // Of how long a request may be nothing is shown.
  { of: [413], kind: 'intermediary', inItsWords: 'refused', by: 'limit', bars: 'anything', why: 'it may be too long' },
  { of: [414, 431], kind: 'intermediary', inItsWords: 'refused', by: 'limit', why: 'it may be too long' },
  { of: [420], kind: 'temporary', by: 'limit', turnsAway: true, why: 'a limit may be met for the moment' },
  { of: [429], kind: 'temporary', by: 'limit', why: 'a limit may be met for the moment' },
  // Nothing was done: it is no gateway's word for a service that is away.
  { of: [501], bars: 'anything', why: 'something before the service may not take it' },
];
const ofGateway: Meaning = {
  kind: 'intermediary',
  inItsWords: 'temporary',
  by: 'gateway',
  why: 'the service may be out of order for the moment',
};
const none: Meaning = { why: 'nothing of the service was heard' };

const byStatus = new Map(meanings.flatMap((meaning) => meaning.of.map((status) => [status, meaning] as const)));

export const meaningOf = (status = 0): Meaning =>
  status >= firstOfGateways ? ofGateway : (byStatus.get(status) ?? none);
