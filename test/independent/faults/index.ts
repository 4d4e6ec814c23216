import type { Fault } from '../hooks.js';
import { capacityFaults } from './capacity.js';
import { executionFaults, fileFaults, syncFaults } from './executions.js';
import { errorFaults, keyFaults } from './keys.js';
import { copyFaults, poolFaults, setFaults, settingFaults } from './profiles.js';
import { recordFaults } from './records.js';
import {
  seldomCapacity,
  seldomCopies,
  seldomFiles,
  seldomKeys,
  seldomPools,
  seldomRecords,
  seldomSets,
  seldomSettings,
  seldomStarts,
  seldomSyncs,
} from './seldom.js';
import { startFaults } from './starts.js';

/**
 * Each a line, most change one field: what assigns in an expression is more readable there than in a block (biome.json).
 *
 * All faults, by what they are about.
 */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  starts: [...startFaults, ...seldomStarts],
  'recorded data': [...recordFaults, ...seldomRecords],
  'synchronous starts': [...syncFaults, ...seldomSyncs],
  executions: executionFaults,
  files: [...fileFaults, ...seldomFiles],
  'capacity and queue': [...capacityFaults, ...seldomCapacity],
  'profile settings': [...settingFaults, ...seldomSettings],
  'cookies and credentials': [...setFaults, ...seldomSets],
  copies: [...copyFaults, ...seldomCopies],
  pools: [...poolFaults, ...seldomPools],
  keys: [...keyFaults, ...seldomKeys],
  errors: errorFaults,
};
