/** What was seen, in the order in which it tells something. */
import type { Exchange } from './exchange.js';

/** All that was seen of one execution, in order. */
export interface Trace {
  readonly executionId: string;
  /** The accepted start, where it was seen. */
  readonly start?: Exchange;
  /** Further starts that were answered with its id, which each should have one of its own. */
  readonly otherStarts?: readonly Exchange[];
  readonly readings: readonly Exchange[];
  readonly listings: readonly Exchange[];
  /** The suite stopped waiting for something that did not come. */
  readonly failedWait?: FailedWait;
}

/** Why a journey ended before its time. */
export interface Halted {
  readonly why: string;
  /** The declared thing that it is about: what rests on others is not concerned. */
  readonly need?: string;
}

/** A wait that ended without what was wanted. */
export interface FailedWait {
  readonly executionId: string;
  readonly wanted: string;
  readonly waitedMs: number;
  /**
   * Why waiting ended: patience ran out, the state is one that no execution of the run left within it, an answer was no
   * reading, or the run was stopped.
   */
  readonly reason: 'patience' | 'stuck' | 'unreadable' | 'stopped';
}

/** All updates and duplications of one profile, in order. */
export interface ProfileHistory {
  readonly profileId: string;
  readonly exchanges: readonly Exchange[];
  /** The duplication that made it, where the suite saw it. */
  readonly origin?: Exchange;
  /** The updates of its copies and of the profile that it is a copy of: none of them may change this one. */
  readonly kin?: readonly Exchange[];
  /** A start asked for it: a browser may have brought cookies since. */
  readonly used?: true;
}

/** What one run recorded. */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  readonly traces: readonly Trace[];
  readonly profiles: readonly ProfileHistory[];
  /** It is all that one caller sent for one job, from its beginning. */
  readonly oneJob?: OneJob;
}

/** What is known of a job that a caller did from its beginning. */
export interface OneJob {
  /** What its caller was told: the id of the execution, where its first start took effect. */
  readonly executionId: string;
  /** Its caller ended by itself: what was not sent would not have been sent later. */
  readonly isOver: boolean;
}
