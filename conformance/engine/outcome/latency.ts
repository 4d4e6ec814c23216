/** Measures how far away a service is, so that answers on time are not called late. */

import { contract } from '../contract.js';
import type { Exchange, Facts } from '../vocabulary.js';
import { outcomeOf } from './outcome.js';
import { accepted, isStartRequest, isWaitingStart, readsOne, traitsOf } from './read.js';

/** Tolerance: the network may be this much slower than the slowest reading. */
const latencySpread = 1.25;

/** Grants waits a grace: the time of the slowest reading, or of the median start that does not wait if that is longer. */
export function withMeasuredLatency(facts: Facts, exchanges: readonly Exchange[]): Facts {
  const starts = exchanges.filter((one) => isStartRequest(one) && !isWaitingStart(one) && accepted(one));
  const usual = starts.map(took).sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;
  return withGrace(facts, Math.max(usual, ...exchanges.map(tookToRead)));
}

/** How long an answer may be under way by a reading; 0 for other exchanges. */
export const tookToRead = (one: Exchange): number =>
  readsOne(one, contract().kinds.started) && hasNoOptionalParameter(one) && outcomeOf(one).own ? took(one) : 0;

const took = ({ durationMs, delayMs = 0 }: Exchange): number => (durationMs - delayMs) * latencySpread;

/** The facts with a grace of at least so much. */
export const withGrace = (facts: Facts, ms: number): Facts => ({
  ...facts,
  pace: { ...facts.pace, latencyGraceMs: Math.round(Math.max(facts.pace.latencyGraceMs, ms)) },
});

/** The facts of a service that is as far away as can be: who is late even so is late for another reason. */
export const endlesslyFar = (facts: Facts): Facts => withGrace(facts, Number.POSITIVE_INFINITY);

/** Whether it has no parameter that it may lack. One may ask for something else, or for a later answer. */
function hasNoOptionalParameter({ operation, request }: Exchange): boolean {
  const { queryParameters = [] } = traitsOf({ operation }) ?? {};
  const query = new URL(request.url, 'http://any').searchParams;
  return queryParameters.every(({ required, name }) => required || !query.has(name));
}
