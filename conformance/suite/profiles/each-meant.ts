import { isMeantToPass } from '../../engine/outcome/read.js';
import type { Finding, Judge } from '../../engine/vocabulary.js';
import { course } from './course.js';
import type { RefusedUpdate, Update } from './update.js';
import { replayUpdates } from './view.js';

/** Judges the updates that were taken, and those that the suite meant to be. */
export const eachMeant = (
  judge: (update: Update, updates: readonly Update[]) => Finding | undefined,
  judgeRefusal: (refusal: RefusedUpdate) => Finding | undefined,
): Judge => ({
  profile(history) {
    const { updates } = replayUpdates(history);
    return [
      ...updates.flatMap((update) => judge(update, updates) ?? []),
      // Of a copy that was never found duplicate-is-independent speaks.
      ...(history.origin && updates.length === 0 ? [] : course(history).refusals)
        .filter(({ exchange }) => isMeantToPass(exchange))
        .flatMap((refusal) => judgeRefusal(refusal) ?? []),
    ];
  },
});
