/** What an update of a profile found, and what it left. */

import type { Fields } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Setting } from './settings.js';

/** A setting that changed from one answer to the next though the update between them did not ask for it. */
export interface Change {
  readonly setting: Setting;
  readonly from: unknown;
  readonly to: unknown;
  /** What did it: a refused update, one that was answered as done and was not, a duplication, or this update. */
  readonly cause: 'refused' | 'lost' | 'copied' | 'update';
  /** The exchanges that show it, the update first. */
  readonly exchanges: readonly Exchange[];
}

/** An update that was taken. Its answer is the only way in which the interface shows a profile. */
export interface Taken {
  readonly exchange: Exchange;
  readonly sent: Fields;
  /** The profile as it was answered. */
  readonly profile: Fields;
  /** What left the profile as this one found it; absent where something unseen may lie between. */
  readonly before?: Taken;
  /** Updates that were refused between the two. */
  readonly refusals: readonly Exchange[];
  /** Duplications between the two, and updates of its copies or of what it is a copy of. */
  readonly copies: readonly Exchange[];
}

/** The same, with all that changed beside what it asked for. */
export interface Update extends Taken {
  readonly before?: Update;
  /** What changed since though it did not ask for it. */
  readonly changes: readonly Change[];
  /** The settings that somebody else changed since. */
  readonly foreign: readonly Setting[];
  /** What updates up to this one changed though they did not ask for it. */
  readonly selfChanging: ReadonlySet<Setting>;
  /** Cookies were seen to change without an update: a browser uses the profile. */
  readonly isBrowsed: boolean;
  /** Cookies that the suite did not put there may change: a browser was seen at work, or there was no time to see it. */
  readonly mayBeBrowsed: boolean;
}

/** One that was refused, and what was found before it. */
export interface RefusedUpdate {
  readonly exchange: Exchange;
  readonly sent: Fields;
  readonly before?: Taken;
}

export interface Duplication {
  readonly exchange: Exchange;
  readonly copy: Fields;
  /** The update that left the source as it was duplicated. */
  readonly source?: Taken;
  /** What it was seen to be next. */
  readonly next?: Taken;
}

/** All that was done with one profile, in order. */
export interface Course {
  readonly updates: readonly Taken[];
  readonly refusals: readonly RefusedUpdate[];
  readonly duplications: readonly Duplication[];
}

/** All that changed of one profile. */
export interface Replay {
  readonly updates: readonly Update[];
  /** The settings that others change as well: no change of them is anybody's fault. */
  readonly others: ReadonlySet<Setting>;
}
