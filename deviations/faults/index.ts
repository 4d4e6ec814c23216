import { unknown } from '../../reference/mistakes.js';
import type { Fault } from '../fault.js';
import { capacityFaults } from './capacity.js';
import { copyFaults } from './copies.js';
import { answerFaults } from './errors/all-answers.js';
import { shapeFaults } from './errors/shapes.js';
import { courseFaults } from './executions/course.js';
import { givenFaults } from './executions/given.js';
import { readingFaults } from './executions/reading.js';
import { fileFaults } from './files.js';
import { keyFaults } from './keys.js';
import { poolFaults } from './pools.js';
import { appliesFaults } from './profiles/applies.js';
import { fieldFaults } from './profiles/fields.js';
import { itemFaults } from './profiles/items.js';
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
  profiles: [...appliesFaults, ...partialFaults, ...fieldFaults, ...itemFaults],
  copies: copyFaults,
  pools: poolFaults,
  keys: keyFaults,
  errors: [...answerFaults, ...shapeFaults],
} as const satisfies Record<string, readonly Fault[]>;

/** All faults: ways in which a service can violate the contract. */
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
