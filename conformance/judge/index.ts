/** Every rule of the register has a judge, and every judge a rule: it does not compile otherwise. */
import type { RuleId } from '../../generated/rules.js';
import type { Judge } from '../vocabulary.js';

export const judges = {} satisfies Record<RuleId, Judge>;
