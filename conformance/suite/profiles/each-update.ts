import type { Finding, Judge } from '../../engine/vocabulary.js';
import type { Update } from './update.js';
import { account } from './view.js';

/** Judges each update that was taken. */
export const eachUpdate = (judge: (update: Update) => Finding | undefined): Judge => ({
  profile: (history) => account(history).updates.flatMap((update) => judge(update) ?? []),
});
