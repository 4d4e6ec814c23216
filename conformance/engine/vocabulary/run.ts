import type { Evidence, Preflight, Report } from '../vocabulary.js';

type Told = 'rules' | 'gaps' | 'transitions' | 'journeys' | 'leftBehind' | 'startedAt' | 'durationMs' | 'longestWaitMs';

/** One run: what was sent and seen, and what the rules say of it. The report tells the rest as it is. */
export interface Run extends Pick<Report, Told | 'requests' | 'executionsStarted' | 'remarks'> {
  readonly preflight: Preflight;
  readonly evidence: Evidence;
  readonly seed: number;
  /** Why it ended before its time. */
  readonly stopped?: string;
}
