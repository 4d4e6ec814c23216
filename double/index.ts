/**
 * The entry point `./reference` of the package: the reference service as a test double. It also records the requests
 * that it gets, and judges their callers.
 */
import { VirtualClock } from '../conformance/engine/send/virtual-clock.js';
import * as service from '../deviations/index.js';
import type { CallersVerdict } from './callers.js';
import { checkReferenceOptions, type ReferenceOptions } from './options.js';
import { type ReceivedRequest, RequestLog } from './requests.js';

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
  type Fault,
  faults,
  faultTopics,
  findFault,
  keys,
  type OwnWorkflow,
  type ReferenceTarget as Fixtures,
  type Service,
  type StartedWith,
  type Surroundings,
  type Variation,
  variations,
  type WrittenFile,
} from '../deviations/index.js';
export type { BrokenCallerRule, CallersVerdict, UnknownField } from './callers.js';
export type { ReferenceOptions } from './options.js';
export type { ReceivedRequest } from './requests.js';

export { VirtualClock };

interface Witness {
  /** The ids, names and keys of everything in the service. It is also a target for the conformance suite. */
  readonly fixtures: service.ReferenceTarget;
  /** The requests so far without keys, oldest first, the last 10,000. The list grows while the service runs. */
  readonly requests: readonly ReceivedRequest[];
  /** Judges these requests by the rules that the interface has for callers. */
  judgeCallers(): Promise<CallersVerdict>;
}

/** A reference service that listens. */
export interface Reference extends Omit<service.Reference, 'target'>, Witness {}

/** A reference service without a socket. */
export interface InProcessReference extends Omit<service.InProcessReference, 'target'>, Witness {}

/** Creates a service without a socket. Throws a UserError that names the option, choice, fault or field at fault. */
export function createReference(options: ReferenceOptions = {}): InProcessReference {
  checkReferenceOptions(options);
  const log = new RequestLog();
  const { target, ...reference } = service.createReference({ ...options, front: log.front });
  return { ...reference, ...witness(log, target) };
}

/** Starts a service that listens on a port. Rejects with a UserError, also if the port is taken. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  checkReferenceOptions(options);
  const log = new RequestLog();
  const { target, ...reference } = await service.startReference({ ...options, front: log.front });
  return { ...reference, ...witness(log, target) };
}

const witness = (log: RequestLog, fixtures: service.ReferenceTarget): Witness => ({
  fixtures,
  requests: log.requests,
  async judgeCallers() {
    // Imported on use: most tests do not need it, and loading takes time.
    const { judge } = await import('./callers.js');
    return judge(log.kept);
  },
});
