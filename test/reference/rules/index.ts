import type { RuleId } from '../../../generated/rules.js';
import type { World } from '../world.js';
import { capacityRules } from './capacity.js';
import { copyRules } from './copies.js';
import { errorRules } from './errors.js';
import { executionRules } from './executions.js';
import { fileRules } from './files.js';
import { keyRules } from './keys.js';
import { poolRules } from './pools.js';
import { profileRules } from './profiles.js';
import { startRules } from './starts.js';
import { syncRules } from './sync.js';

/** The compiler holds it to the register: a rule without a test does not compile, nor does a test without a rule. */
export const ruleTests: Record<RuleId, (world: World) => Promise<void>> = {
  ...executionRules,
  ...startRules,
  ...syncRules,
  ...capacityRules,
  ...fileRules,
  ...profileRules,
  ...copyRules,
  ...poolRules,
  ...keyRules,
  ...errorRules,
};
