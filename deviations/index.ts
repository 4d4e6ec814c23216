/** The reference service, with the faults and variations that it can have. */
import { extend } from '../reference/extensions.js';
import { findFault } from './faults/index.js';

export * from '../reference/index.js';
export type { Fault } from './fault.js';
export { faults, faultTopics, findFault } from './faults/index.js';
export type { Service, Surroundings, Variation } from './variation.js';
export { surroundings, variations } from './variations/index.js';

extend({ findFault });
