import type { Evidence, Facts } from '../vocabulary.js';

/** How much longer than readings took at most a timely answer may take: the way there is no even one. */
const latencySpread = 1.25;

/** What waits rest on is forgiven as much as readings took, which wait for nothing. */
export function asFarAway(facts: Facts, { exchanges }: Evidence): Facts {
  const took = exchanges
    .filter(({ operation, response }) => operation === 'getExecution' && response !== undefined)
    .map(({ durationMs, delayMs = 0 }) => (durationMs - delayMs) * latencySpread);
  const latencyGraceMs = Math.round(Math.max(facts.pace.latencyGraceMs, ...took));
  return { ...facts, pace: { ...facts.pace, latencyGraceMs } };
}
