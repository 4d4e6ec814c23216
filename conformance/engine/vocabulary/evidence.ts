/** Evidence: the exchanges of a run, grouped by the execution or profile that they are about. */
import type { Exchange } from './exchange.js';

/** All exchanges about one started execution, in order. The suite adds its id. */
export interface Trace {
  /** The accepted start, where it was seen. */
  readonly start?: Exchange;
  /**
   * Further starts that were answered with this id, which should have got one of their own; or the rerun that began
   * this execution, whose request does not say all that it asks for.
   */
  readonly otherStarts?: readonly Exchange[];
  readonly readings: readonly Exchange[];
  readonly listings: readonly Exchange[];
  /** Set where the suite gave up waiting for a state of this execution. */
  readonly failedWait?: FailedWait;
}

/** A trace whose beginning was seen. */
export interface Started extends Trace {
  readonly start: Exchange;
}

/** Why a scenario ended early. */
export interface Halted {
  readonly why: string;
  /** The part of the target file that it is about, such as `profile`. Rules that do not need it are not affected. */
  readonly need?: string;
  /** No copy could be made, for what the target file says: rules that need one are untested. */
  readonly isLacking?: true;
}

/** A wait that ended before the wanted state was reached. */
export interface FailedWait {
  readonly wanted: string;
  readonly waitedMs: number;
  /** How long the state had been unchanged when the wait ended. */
  readonly unchangedMs: number;
  /**
   * `patience`: it ran out. `stuck`: no execution of this run left this state within it. `unreadable`: an answer was no
   * reading. `stopped`: the run was stopped.
   */
  readonly reason: 'patience' | 'stuck' | 'unreadable' | 'stopped';
}

/** All changes and copies of one profile, in order. The suite adds its id. */
export interface ProfileHistory {
  readonly exchanges: readonly Exchange[];
  /** The duplication that made this profile, if the suite saw it. */
  readonly origin?: Exchange;
  /** Updates of its copies, and of the profile that it is a copy of: none of them may change this one. */
  readonly related?: readonly Exchange[];
}

/** What one run recorded. */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  readonly traces: readonly Trace[];
  readonly profiles: readonly ProfileHistory[];
  /** Set if the target has several clocks: times that it wrote at different places have no order. */
  readonly hasSeveralClocks?: true;
  /** Set where this is everything that one caller sent for one job, from its beginning. */
  readonly oneJob?: OneJob;
}

/** What is known of a job that was recorded from its beginning. */
export interface OneJob {
  /** The caller ended by itself, so a request that it did not send would not have come later either. */
  readonly isOver: boolean;
}

/** A change of state that was observed, and whether the interface documents it. */
export interface Transition {
  /** Null: `to` is the first status seen of an execution that the run started. */
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
  readonly standing: 'documented' | 'undocumented' | 'forbidden';
}
