/** Every rule of the register has a judge, and every judge a rule: it does not compile otherwise. */
import type { RuleId } from '../../generated/rules.js';
import type { Judge } from '../vocabulary.js';
import { bounds } from './rules/bounds.js';
import { errors } from './rules/errors.js';
import { ids } from './rules/ids.js';
import { keys } from './rules/keys.js';
import { refusals } from './rules/refusals.js';
import { traffic } from './rules/traffic.js';
import { unavailable } from './rules/unavailable.js';

export const judges = {
  ...traffic,
  ...errors,
  ...keys,
  ...ids,
  ...refusals,
  ...bounds,
  ...unavailable,
} satisfies Record<RuleId, Judge>;
