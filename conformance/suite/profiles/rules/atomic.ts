/** A refused update must not have had any effect. */

import type { Judges } from '../../../engine/vocabulary.js';
import { refusedForKey } from '../../keys/for-key.js';
import { noEffectOfRefused } from '../effect-of-refused.js';

export const atomic = {
  /** Seen: the profile before and after a refused update. Satisfied if nothing of the update shows, else violated. */
  'update-is-atomic': noEffectOfRefused((refusal) => !refusedForKey(refusal)),
} satisfies Judges;
