import type { Fault } from '../hooks.js';
import { capacityFaults } from './capacity.js';
import { executionFaults, fileFaults, syncFaults } from './executions.js';
import { errorFaults, keyFaults } from './keys.js';
import { copyFaults, poolFaults, setFaults, settingFaults } from './profiles.js';
import { recordFaults } from './records.js';
import { startFaults } from './starts.js';

/**
 * Each a line, most change one field: what assigns in an expression is more readable there than in a block (biome.json).
 *
 * All faults, by what they are about.
 */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  starts: startFaults,
  'recorded data': recordFaults,
  'synchronous starts': syncFaults,
  executions: executionFaults,
  files: fileFaults,
  'capacity and queue': capacityFaults,
  'profile settings': settingFaults,
  'cookies and credentials': setFaults,
  copies: copyFaults,
  pools: poolFaults,
  keys: keyFaults,
  errors: errorFaults,
};
