import type { Evidence, Preflight, Report } from '../vocabulary.js';

type Reported =
  | 'rules'
  | 'gaps'
  | 'transitions'
  | 'journeys'
  | 'leftBehind'
  | 'startedAt'
  | 'durationMs'
  | 'longestWaitMs';

/** One run: what was sent and seen, and what the rules say of it. These parts go into the report as they are. */
export interface Run extends Pick<Report, Reported | 'requests' | 'executionsStarted' | 'remarks'> {
  readonly preflight: Preflight;
  readonly evidence: Evidence;
  readonly seed: number;
  /** Why it ended before its time. */
  readonly stopped?: string;
}
