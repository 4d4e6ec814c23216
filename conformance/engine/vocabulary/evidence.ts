/** What was seen, grouped by what it was seen of. */
import type { Exchange } from './exchange.js';

/** All that was seen of one thing that was started, in order. The suite names it. */
export interface Trace {
  /** The accepted start, where it was seen. */
  readonly start?: Exchange;
  /**
   * Further starts that were answered with its id, which each should have one of its own; and the one that repeated another of its
   * kind, which does not say all of what it asks for.
   */
  readonly otherStarts?: readonly Exchange[];
  readonly readings: readonly Exchange[];
  readonly listings: readonly Exchange[];
  /** The suite stopped waiting for something that did not come. */
  readonly failedWait?: FailedWait;
}

/** A trace whose beginning was seen. */
export interface Started extends Trace {
  readonly start: Exchange;
}

/** Why a journey ended before its time. */
export interface Halted {
  readonly why: string;
  /** The declared thing that it is about: what rests on others is not concerned. */
  readonly need?: string;
}

/** A wait that ended without what was wanted. */
export interface FailedWait {
  readonly wanted: string;
  readonly waitedMs: number;
  /** For how long nothing had changed when the wait ended. */
  readonly stoodMs: number;
  /**
   * Why waiting ended: patience ran out, the state is one that no execution of the run left within it, an answer was no
   * reading, or the run was stopped.
   */
  readonly reason: 'patience' | 'stuck' | 'unreadable' | 'stopped';
}

/** All changes and copies of one thing, in order. The suite names it. */
export interface ProfileHistory {
  readonly exchanges: readonly Exchange[];
  /** The duplication that made it, where the suite saw it. */
  readonly origin?: Exchange;
  /** The updates of its copies and of the profile that it is a copy of: none of them may change this one. */
  readonly related?: readonly Exchange[];
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
  /** Its caller ended by itself: what was not sent would not have been sent later. */
  readonly isOver: boolean;
}

/** One sequence of an exploration, with what was made or deleted before it. */
export interface Chapter extends Evidence {
  /** The ids of its own exchanges. */
  readonly own: ReadonlySet<number>;
  /** Earlier exchanges: they show what a thing is, such as a copy, but no longer its present state. */
  readonly past: ReadonlySet<number>;
}
