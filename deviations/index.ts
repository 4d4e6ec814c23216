/** The reference service, and all that it can be made to do otherwise. */
import type { Deviation } from '../reference/deviation.js';
import * as service from '../reference/index.js';
import { findFault } from './faults/index.js';

export {
  type Choices,
  type Clock,
  choiceSets,
  choices,
  chooseFrom,
  type Deviation,
  type Directory,
  type InProcessReference,
  keys,
  type OwnWorkflow,
  type Reference,
  type ReferenceTarget,
  type StartedWith,
  type WrittenFile,
} from '../reference/index.js';
export type { Fault } from './fault.js';
export { faults, faultTopics, findFault } from './faults/index.js';
export type { Service, Surroundings, Variation } from './variation.js';
export { variations } from './variations/index.js';

export interface ReferenceOptions extends Omit<service.ReferenceOptions, 'deviations'> {
  /** What it does otherwise: ids of faults, or deviations of one's own. */
  readonly faults?: readonly (string | Deviation)[];
}

/** Throws an error that names the choice or the fault that does not exist. */
export const createReference = (options: ReferenceOptions = {}): service.InProcessReference =>
  service.createReference(withDeviations(options));

/** Rejects with an error that names the choice or the fault that does not exist, or why the port cannot be had. */
export const startReference = async (options: ReferenceOptions = {}): Promise<service.Reference> =>
  service.startReference(withDeviations(options));

const withDeviations = ({ faults = [], ...options }: ReferenceOptions): service.ReferenceOptions => ({
  ...options,
  deviations: faults.map((fault) => (typeof fault === 'string' ? findFault(fault) : fault)),
});
