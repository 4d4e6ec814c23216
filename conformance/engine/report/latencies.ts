import { contract } from '../contract.js';
import { accepted } from '../outcome/read.js';
import type { Exchange, Latency, Report } from '../vocabulary.js';
import { duration } from './digest.js';

/** How long operations took to answer what they accepted. A refusal is answered sooner, and would hide it. */
export function latenciesOf(exchanges: readonly Exchange[]): NonNullable<Report['latencies']> {
  const answered = exchanges.filter((one) => !one.untimed && accepted(one));
  return Object.fromEntries(
    contract().operationIds.flatMap((id) => {
      const took = answered.flatMap(({ operation, durationMs }) => (operation === id ? [durationMs] : []));
      return took.length > 0 ? [[id, latency(took.sort((a, b) => a - b))]] : [];
    }),
  );
}

function latency(sorted: readonly number[]): Latency {
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

/** The latencies in a line: `readThing 4 ms, 9 ms, 12 ms (of 30)`; undefined where nothing was accepted. */
export function latencyText({ latencies = {} }: Report): string | undefined {
  const all = Object.entries(latencies).map(
    ([id, { count, medianMs, p95Ms, maxMs }]) =>
      `${id} ${[medianMs, p95Ms, maxMs].map(duration).join(', ')} (of ${count})`,
  );
  return all.length > 0 ? `Latency, median, 95 % and most: ${all.join(' · ')}` : undefined;
}
