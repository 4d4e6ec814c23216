import { unknown } from '../../reference/mistakes.js';
import type { Fault } from '../fault.js';
import { answerFaults } from './answers.js';
import { besideOthersFaults } from './beside-others.js';
import { bodyFaults } from './bodies.js';
import { capacityFaults } from './capacity.js';
import { combinationFaults } from './combinations.js';
import { conditionFaults } from './conditions.js';
import { duplicateFaults } from './duplicates.js';
import { errorFaults } from './errors.js';
import { executionFaults } from './executions.js';
import { fileFaults } from './files.js';
import { idFaults } from './ids.js';
import { keyFaults } from './keys.js';
import { lifecycleFaults } from './lifecycle.js';
import { listFaults } from './lists.js';
import { poolFaults } from './pools.js';
import { profileFaults } from './profiles.js';
import { recordedFaults } from './recorded.js';
import { refusalFaults } from './refusals.js';
import { someStartFaults } from './some-starts.js';
import { startFaults } from './starts.js';
import { syncFaults } from './sync.js';
import { updateFaults } from './updates.js';
import { waitFaults } from './waits.js';

/** By what they are about. */
export const faultTopics = {
  answers: answerFaults,
  bodies: bodyFaults,
  errors: errorFaults,
  keys: keyFaults,
  ids: idFaults,
  starts: startFaults,
  'some starts': someStartFaults,
  refusals: refusalFaults,
  capacity: capacityFaults,
  sync: syncFaults,
  waits: waitFaults,
  executions: executionFaults,
  lifecycle: lifecycleFaults,
  recorded: recordedFaults,
  files: fileFaults,
  updates: updateFaults,
  profiles: profileFaults,
  'cookies and credentials': listFaults,
  duplicates: duplicateFaults,
  pools: poolFaults,
  combinations: combinationFaults,
  conditions: conditionFaults,
  'beside others': besideOthersFaults,
} as const satisfies Record<string, readonly Fault[]>;

/** Every way in which the service can break the contract. */
export const faults: readonly Fault[] = Object.values(faultTopics).flat();

/** Throws an error that names the fault which was likely meant. */
export function findFault(id: string): Fault {
  const fault = faults.find((candidate) => candidate.id === id);
  if (!fault)
    throw unknown(
      'the fault',
      id,
      faults.map((known) => known.id),
    );
  return fault;
}
