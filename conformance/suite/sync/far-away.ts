/** Measures how far away a service is, so that answers on time are not called late. */

import { accepted, isPlainlyAsked, isStartRequest, isWaitingStart, readsOne } from '../../engine/outcome/read.js';
import type { Evidence, Exchange, Facts } from '../../engine/vocabulary.js';

/** Tolerance: the network may be this much slower than the slowest reading. */
const latencySpread = 1.25;

/** Grants waits a grace: the time of the slowest reading, or of the median asynchronous start if that is longer. */
export function withMeasuredLatency(facts: Facts, { exchanges }: Evidence): Facts {
  const readings = took(exchanges.filter((one) => readsOne(one, 'execution') && isPlainlyAsked(one) && one.response));
  const starts = took(exchanges.filter((one) => isStartRequest(one) && !isWaitingStart(one) && accepted(one)));
  const usual = starts[Math.floor(starts.length / 2)] ?? 0;
  const latencyGraceMs = Math.round(Math.max(facts.pace.latencyGraceMs, usual, ...readings));
  return { ...facts, pace: { ...facts.pace, latencyGraceMs } };
}

const took = (of: readonly Exchange[]): number[] =>
  of.map(({ durationMs, delayMs = 0 }) => (durationMs - delayMs) * latencySpread).sort((a, b) => a - b);
