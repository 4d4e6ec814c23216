import { unknown } from '../../reference/mistakes.js';
import type { Fault } from '../fault.js';
import { capacityFaults } from './capacity.js';
import { contentFaults } from './copies/contents.js';
import { independentFaults } from './copies/independent.js';
import { newCopyFaults } from './copies/new.js';
import { answerFaults } from './errors/all-answers.js';
import { errorFaults } from './errors/bodies.js';
import { idFaults } from './errors/ids.js';
import { schemaFaults } from './errors/schemas.js';
import { courseFaults } from './executions/course.js';
import { givenFaults } from './executions/given.js';
import { readingFaults } from './executions/reading.js';
import { fileFaults } from './files.js';
import { keyFaults } from './keys.js';
import { poolFaults } from './pools.js';
import { addedItemFaults } from './profiles/added-items.js';
import { appliesFaults } from './profiles/applies.js';
import { changedItemFaults } from './profiles/changed-items.js';
import { fieldFaults } from './profiles/fields.js';
import { partialFaults } from './profiles/partial.js';
import { acceptedFaults } from './starts/accepted.js';
import { bodyFaults } from './starts/bodies.js';
import { refusalFaults } from './starts/refusals.js';
import { unavailableFaults } from './starts/unavailable.js';
import { syncFaults } from './sync.js';

/** All faults by topic, as in conformance/suite: that of the rule that a fault names first. */
export const faultTopics = {
  executions: [...courseFaults, ...givenFaults, ...readingFaults],
  starts: [...acceptedFaults, ...bodyFaults, ...refusalFaults, ...unavailableFaults],
  sync: syncFaults,
  capacity: capacityFaults,
  files: fileFaults,
  profiles: [...appliesFaults, ...partialFaults, ...fieldFaults, ...addedItemFaults, ...changedItemFaults],
  copies: [...newCopyFaults, ...contentFaults, ...independentFaults],
  pools: poolFaults,
  keys: keyFaults,
  errors: [...answerFaults, ...schemaFaults, ...errorFaults, ...idFaults],
} as const satisfies Record<string, readonly Fault[]>;

/** All faults: ways in which a service can break the contract. */
export const faults: readonly Fault[] = Object.values(faultTopics).flat();

/** Finds a fault by its id. Throws a UserError that suggests the nearest one if it does not exist. */
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
