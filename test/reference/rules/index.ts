import type { RuleId } from '../../../generated/rules.js';
import type { World } from '../world.js';
import { accessRules } from './access.js';
import { executionRules } from './executions.js';
import { profileRules } from './profiles.js';
import { startRules } from './starts.js';
import { syncRules } from './sync.js';

/** The compiler holds it to the register: a rule without a test does not compile, nor does a test without a rule. */
export const ruleTests: Record<RuleId, (world: World) => Promise<void>> = {
  ...accessRules,
  ...startRules,
  ...syncRules,
  ...executionRules,
  ...profileRules,
};
