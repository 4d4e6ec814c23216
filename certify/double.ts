/** The entry point `./reference` of the package: the reference service as a test double that judges its callers. */
import { extend } from '../reference/extensions.js';

// Imported on use: most tests do not need it, and loading takes time.
extend({ judgeCallers: async (kept) => (await import('./judge-callers.js')).judge(kept) });

export { VirtualClock } from '../conformance/engine/send/clock.js';
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
  type Fault,
  type Fixtures,
  faults,
  faultTopics,
  findFault,
  type InProcessReference,
  keys,
  type OwnWorkflow,
  type Reference,
  type ReferenceOptions,
  type Service,
  type StartedWith,
  type Surroundings,
  startReference,
  type Variation,
  variations,
  type WrittenFile,
} from '../deviations/index.js';
export type { BrokenCallerRule, CallersVerdict, ReceivedRequest, UnknownField } from '../reference/requests.js';
