/** Types for the history of a profile: what each update found, and what it left. */

import { type Fields, requestBody } from '../../engine/outcome/read.js';
import { satisfied, violated } from '../../engine/rule/findings.js';
import { jsonText, listOf, sameName } from '../../engine/rule/values.js';
import type { Exchange, Finding, Judge } from '../../engine/vocabulary.js';
import { shownData } from './lists.js';
import { mayChange, type Setting, sameSetting, shownSettings } from './settings.js';
import { eachUpdate } from './view.js';

/** A setting that changed from one answer to the next, though the update did not ask for it. */
export interface Change {
  readonly setting: Setting;
  readonly from: unknown;
  readonly to: unknown;
  /**
   * The cause: a refused update, an update that was undone after its answer, a duplication, or this update itself;
   * `unknown` where another client may have set it, since the run did not make the profile and never sent the value.
   */
  readonly cause: 'refused' | 'lost' | 'copied' | 'update' | 'unknown';
  /** The exchanges that show it, the update first. */
  readonly exchanges: readonly Exchange[];
}

/** What was sent to a profile, what the answer shows of it, and the same before that. */
export interface Shown {
  readonly sent: Fields;
  readonly profile: Fields;
  readonly before?: Shown;
}

/** An accepted update. Its answer is the only way in which the interface shows a profile. */
export interface AcceptedUpdate extends Shown {
  readonly exchange: Exchange;
  /** The update that left the profile as this one found it; absent if something unseen may have come between. */
  readonly before?: AcceptedUpdate;
  /** Updates that were refused in between. */
  readonly refusals: readonly Exchange[];
  /** Duplications in between, and updates of its copies or its source. */
  readonly copies: readonly Exchange[];
}

/** The same, with all that changed besides what it asked for. */
export interface Update extends AcceptedUpdate {
  readonly before?: Update;
  /** What changed since `before` without being asked for. */
  readonly changes: readonly Change[];
  /** Settings that updates so far changed without being asked to. */
  readonly selfChanging: ReadonlySet<Setting>;
  /** Cookies were seen to change without an update: a browser uses the profile. */
  readonly hasBrowser: boolean;
}

/** A refused update, and what was found before it. */
export interface RefusedUpdate {
  readonly exchange: Exchange;
  readonly sent: Fields;
  readonly before?: AcceptedUpdate;
}

export interface Duplication {
  readonly exchange: Exchange;
  readonly copy: Fields;
  /** The update that left the source as it was duplicated. */
  readonly source?: AcceptedUpdate;
  /** The next update of the source. */
  readonly next?: AcceptedUpdate;
}

/** All that was done with one profile, in order. */
export interface UpdatesAndCopies {
  readonly updates: readonly AcceptedUpdate[];
  readonly refusals: readonly RefusedUpdate[];
  readonly duplications: readonly Duplication[];
}

// Judges that a refused update had no effect.

/** Judges the profile before and after a refused update that `is` picks. Passes if nothing of it shows. */
export const noEffectOfRefused = (is: (refusal: Exchange) => boolean): Judge =>
  eachUpdate((update) => {
    const refusals = update.refusals.filter(is);
    return refusals.length > 0 ? done(update, refusals) : undefined;
  });

function done(update: Update, refusals: readonly Exchange[]): Finding | undefined {
  const { before, exchange } = update;
  if (!before) return undefined;
  const taken = refusals.find((refusal) =>
    listOf(requestBody(refusal)?.credentialsToUpdate).some((item) => tookData(item, before, update)),
  );
  if (taken)
    return violated([exchange, taken, before.exchange], 'data of credentials as it was', 'that of the refused update');
  const change = update.changes.find(
    ({ cause, exchanges }) => cause === 'refused' && exchanges.some((one) => refusals.includes(one)),
  );
  if (change)
    return violated(
      change.exchanges,
      `${change.setting} ${jsonText(change.from)} after an update that was refused`,
      jsonText(change.to),
    );
  const telling = refusals.find((refusal) =>
    shownSettings.some((setting) => {
      const asked = requestBody(refusal) ?? {};
      const already = setting in asked && sameSetting(setting, asked[setting], before.profile[setting]);
      return mayChange(asked, setting) && !already && !mayChange(update.sent, setting);
    }),
  );
  return telling && satisfied([exchange, telling, before.exchange]);
}

/** Whether a credential now has the data of a refused update, and was seen with other data before. */
function tookData(item: Fields, before: Update, { profile, sent: asked }: Update): boolean {
  const was = shownData(before, item.name);
  const isNow = listOf(profile.credentials).some((one) => sameName(one.name, item.name) && one.data === item.data);
  return !mayChange(asked, 'credentials') && was !== undefined && was !== item.data && isNow;
}
