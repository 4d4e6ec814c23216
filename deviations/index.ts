/** The reference service, with the faults and variations that it can have. */
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
  type DisturbanceName,
  disturbances,
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
export { surroundings, variations } from './variations/index.js';

export interface ReferenceOptions extends Omit<service.ReferenceOptions, 'deviations'> {
  /** Faults to apply: ids, or deviations of your own. */
  readonly faults?: readonly (string | Deviation)[];
}

/** Creates a service without a socket. Throws a UserError that names the choice or fault that does not exist. */
export const createReference = (options: ReferenceOptions = {}): service.InProcessReference =>
  service.createReference(withDeviations(options));

/** Starts a service that listens on a port. Rejects with a UserError, also if the port is taken. */
export const startReference = async (options: ReferenceOptions = {}): Promise<service.Reference> =>
  service.startReference(withDeviations(options));

const withDeviations = ({ faults = [], ...options }: ReferenceOptions): service.ReferenceOptions => ({
  ...options,
  deviations: faults.map((fault) => (typeof fault === 'string' ? findFault(fault) : fault)),
});
