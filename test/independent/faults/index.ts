import type { Fault } from '../hooks.js';
import { capacityFaults } from './capacity.js';
import {
  combinedCapacity,
  combinedCopies,
  combinedKeys,
  combinedRecords,
  combinedSets,
  combinedSettings,
  combinedStarts,
  combinedTypes,
} from './combined.js';
import { executionFaults, fileFaults, syncFaults } from './executions.js';
import {
  capacityHistories,
  copyHistories,
  executionHistories,
  fileHistories,
  keyHistories,
  recordHistories,
  setHistories,
  settingHistories,
  startHistories,
  syncHistories,
} from './histories.js';
import { errorFaults, keyFaults } from './keys.js';
import { copyFaults, poolFaults, setFaults, settingFaults } from './profiles.js';
import { recordFaults } from './records.js';
import { seldomCopies, seldomPools } from './seldom/copies.js';
import { seldomKeys } from './seldom/keys.js';
import { seldomSets, seldomSettings } from './seldom/profiles.js';
import { seldomRecords } from './seldom/records.js';
import { seldomCapacity, seldomFiles, seldomStarts, seldomSyncs } from './seldom/runs.js';
import { startFaults } from './starts.js';

/**
 * Each a line, most change one field: what assigns in an expression is more readable there than in a block (biome.json).
 *
 * All faults, by what they are about.
 */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  starts: [...startFaults, ...seldomStarts, ...startHistories, ...combinedStarts],
  'recorded data': [...recordFaults, ...seldomRecords, ...recordHistories, ...combinedRecords],
  'synchronous starts': [...syncFaults, ...seldomSyncs, ...syncHistories],
  executions: [...executionFaults, ...executionHistories],
  files: [...fileFaults, ...seldomFiles, ...fileHistories],
  'capacity and queue': [...capacityFaults, ...seldomCapacity, ...capacityHistories, ...combinedCapacity],
  'profile settings': [...settingFaults, ...seldomSettings, ...settingHistories, ...combinedSettings],
  'cookies and credentials': [...setFaults, ...seldomSets, ...setHistories, ...combinedSets],
  copies: [...copyFaults, ...seldomCopies, ...copyHistories, ...combinedCopies],
  pools: [...poolFaults, ...seldomPools],
  keys: [...keyFaults, ...seldomKeys, ...keyHistories, ...combinedKeys],
  errors: [...errorFaults, ...combinedTypes],
};
