/** Builds judges that go through the history of a profile update by update. */
import { isMeantToPass } from '../../engine/outcome/read.js';
import type { Finding, Judge, ProfileHistory } from '../../engine/vocabulary.js';
import type { RefusedUpdate, Update } from './update.js';
import { updatesOf } from './updates-and-copies.js';
import { replayUpdates } from './view.js';

/** Judges each accepted update, with all that changed besides what it asked for. */
export const eachUpdate = (
  judge: (update: Update, updates: readonly Update[], history: ProfileHistory) => Finding | undefined,
): Judge => ({
  profile(history) {
    const updates = replayUpdates(history);
    return updates.flatMap((update) => judge(update, updates, history) ?? []);
  },
});

/** Judges each update that should have been accepted, but was refused. */
export const eachRefusal = (
  judge: (refusal: RefusedUpdate, history: ProfileHistory) => Finding | undefined,
): Judge => ({
  profile: (history) =>
    updatesOf(history)
      .refusals.filter(({ exchange }) => isMeantToPass(exchange))
      .flatMap((refusal) => judge(refusal, history) ?? []),
});

/** Whether this is a copy that no update found: duplicate-is-independent judges that. */
export const isNeverFound = (history: ProfileHistory): boolean =>
  history.origin !== undefined && updatesOf(history).updates.length === 0;
