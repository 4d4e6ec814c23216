/** What an update that was refused must not have done. */

import type { Judges } from '../../../engine/vocabulary.js';
import { refusedForKey } from '../../keys/for-key.js';
import { doneOfRefused } from '../done-of-refused.js';

export const atomic = {
  /**
   * Seen: the profile before and after an update that was refused. Satisfied where nothing of it is there, violated where
   * something is.
   */
  'update-is-atomic': doneOfRefused((refusal) => !refusedForKey(refusal)),
} satisfies Judges;
