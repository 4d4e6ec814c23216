import { unknown } from '../mistakes.js';
import { accessFaults } from './access.js';
import { executionFaults } from './executions.js';
import type { Fault } from './fault.js';
import { profileFaults } from './profiles.js';
import { startFaults } from './starts.js';

export { applyFaults, type Fault } from './fault.js';

export const faults: readonly Fault[] = [...accessFaults, ...startFaults, ...executionFaults, ...profileFaults];

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
