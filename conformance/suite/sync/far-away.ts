import { accepted } from '../../engine/outcome/read.js';
import type { Evidence, Exchange, Facts } from '../../engine/vocabulary.js';

/** How much longer than readings took at most a timely answer may take: the way there is no even one. */
const latencySpread = 1.25;

/** What waits rest on is forgiven as much as readings took, which wait for nothing, and asynchronous starts mostly. */
export function withMeasuredLatency(facts: Facts, { exchanges }: Evidence): Facts {
  const readings = took(exchanges.filter(({ operation, response }) => operation === 'getExecution' && response));
  const starts = took(exchanges.filter((one) => one.operation === 'execute' && accepted(one)));
  const usual = starts[Math.floor(starts.length / 2)] ?? 0;
  const latencyGraceMs = Math.round(Math.max(facts.pace.latencyGraceMs, usual, ...readings));
  return { ...facts, pace: { ...facts.pace, latencyGraceMs } };
}

const took = (of: readonly Exchange[]): number[] =>
  of.map(({ durationMs, delayMs = 0 }) => (durationMs - delayMs) * latencySpread).sort((a, b) => a - b);
