/**
 * The door of the package (`./reference`): the reference service as a double of the real one. Beside what it does by itself
 * it remembers what it was sent, and judges whoever sent it.
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
  /** What callers sent, oldest first, the last 10,000 of it. No key is in it. Grows while it is looked at. */
  readonly requests: readonly ReceivedRequest[];
  /** Holds what they sent against the rules that the interface has for callers. */
  judgeCallers(): Promise<CallersVerdict>;
}

/** A reference service that listens. */
export interface Reference extends service.Reference, Witness {}

/** A reference service without a socket. */
export interface InProcessReference extends service.InProcessReference, Witness {}

/** Throws an error that names the option, the choice, the fault or the field that does not exist. */
export function createReference(options: ReferenceOptions = {}): InProcessReference {
  checkReferenceOptions(options);
  const log = new RequestLog();
  return { ...service.createReference({ ...options, front: log.front }), ...witness(log) };
}

/** Rejects with an error that names what does not exist, or why the port cannot be had. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  checkReferenceOptions(options);
  const log = new RequestLog();
  return { ...(await service.startReference({ ...options, front: log.front })), ...witness(log) };
}

const witness = (log: RequestLog): Witness => ({
  requests: log.requests,
  async judgeCallers() {
    // Most tests do not ask, and it takes its time to load.
    const { judge } = await import('./callers.js');
    return judge(log.kept);
  },
});
