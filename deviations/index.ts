/** The reference service, with the faults and variations that it can have. */
import { extend } from '../reference/extensions.js';
import { findFault } from './faults/index.js';

export {
  type Choices,
  type Clock,
  choiceSets,
  choices,
  chooseFrom,
  createReference,
  type Deviation,
  type Directory,
  type DisturbanceName,
  disturbances,
  type Fixtures,
  type InProcessReference,
  keys,
  type OwnWorkflow,
  type Reference,
  type ReferenceOptions,
  type StartedWith,
  startReference,
  type WrittenFile,
} from '../reference/index.js';
export type { Fault } from './fault.js';
export { faults, faultTopics, findFault } from './faults/index.js';
export type { Service, Surroundings, Variation } from './variation.js';
export { surroundings, variations } from './variations/index.js';

extend({ findFault });
