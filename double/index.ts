/**
 * The entry point `./reference` of the package: the reference service as a test double. It also records the requests
 * that it gets, and judges their callers.
 */
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
  type Fault,
  faults,
  faultTopics,
  findFault,
  keys,
  type OwnWorkflow,
  type ReferenceTarget,
  type Service,
  type StartedWith,
  type Surroundings,
  type Variation,
  variations,
  type WrittenFile,
} from '../deviations/index.js';
export type { BrokenCallerRule, CallersVerdict } from './callers.js';
export type { ReferenceOptions } from './options.js';
export type { ReceivedRequest } from './requests.js';

interface Witness {
  /** The requests so far without keys, oldest first, the last 10,000. The list grows while the service runs. */
  readonly requests: readonly ReceivedRequest[];
  /** Judges these requests by the rules that the interface has for callers. */
  judgeCallers(): Promise<CallersVerdict>;
}

/** A reference service that listens. */
export interface Reference extends service.Reference, Witness {}

/** A reference service without a socket. */
export interface InProcessReference extends service.InProcessReference, Witness {}

/** Creates a service without a socket. Throws a Mistake that names the option, choice, fault or field at fault. */
export function createReference(options: ReferenceOptions = {}): InProcessReference {
  checkReferenceOptions(options);
  const log = new RequestLog();
  return { ...service.createReference({ ...options, front: log.front }), ...witness(log) };
}

/** Starts a service that listens on a port. Rejects with a Mistake, also if the port is taken. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  checkReferenceOptions(options);
  const log = new RequestLog();
  return { ...(await service.startReference({ ...options, front: log.front })), ...witness(log) };
}

const witness = (log: RequestLog): Witness => ({
  requests: log.requests,
  async judgeCallers() {
    // Imported on use: most tests do not need it, and loading takes time.
    const { judge } = await import('./callers.js');
    return judge(log.kept);
  },
});
