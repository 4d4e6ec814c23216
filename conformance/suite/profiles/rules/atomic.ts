/** A refused update must not have had any effect. */

import type { Judges } from '../../../engine/vocabulary.js';
import { refusedForKey } from '../../keys/for-key.js';
import { doneOfRefused } from '../done-of-refused.js';

export const atomic = {
  /** Seen: the profile before and after a refused update. Satisfied if nothing of the update shows, else violated. */
  'update-is-atomic': doneOfRefused((refusal) => !refusedForKey(refusal)),
} satisfies Judges;
