import { isStopped } from '../../../generated/lifecycle.js';
import { type Reading, readings } from '../../engine/outcome/readings.js';
import type { Facts, Trace } from '../../engine/vocabulary.js';
import { expectedStates } from '../expected.js';

/** The first reading that proves that a queued execution has started. It may be read as starting even while queued. */
export function firstStartedReading({ start, readings: all }: Trace, facts: Facts): Reading | undefined {
  const seen = readings(all);
  const ends: readonly string[] = start ? expectedStates(start, facts) : [];
  const queued = seen.findIndex((reading) => reading.status === 'queued');
  return seen.find(
    (reading, index) =>
      reading.status === 'running' ||
      reading.status === 'completed' ||
      ends.includes(reading.status) ||
      isStopped(reading.status) ||
      (reading.status === 'starting' && queued >= 0 && index > queued),
  );
}
