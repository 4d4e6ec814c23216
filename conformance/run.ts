import type { Evidence, JourneyTime, LeftBehind, Preflight, Report, RuleVerdict } from './vocabulary.js';

/** One run: what was sent and seen, and what the rules say of it. */
export interface Run {
  readonly preflight: Preflight;
  readonly evidence: Evidence;
  readonly rules: readonly RuleVerdict[];
  readonly gaps: Report['gaps'];
  readonly transitions: Report['transitions'];
  readonly journeys: readonly JourneyTime[];
  readonly leftBehind: readonly LeftBehind[];
  readonly seed: number;
  readonly requests: number;
  readonly executionsStarted: number;
  /** Why it ended before its time. */
  readonly stopped?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly longestWaitMs: number;
  /** What the exploration found, in words. */
  readonly remarks: readonly string[];
}
