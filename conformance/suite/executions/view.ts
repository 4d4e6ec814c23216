/** What the states of an execution and the fields of its start mean. */
import { isInitial } from '../../../generated/lifecycle.js';
import type { Execution, ExecutionStatus } from '../../../generated/types.js';
import type { StartField } from '../../engine/contract.js';
import { type Asked, accepted, answerBody, requestFields } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Whether an execution is past the states in which it may wait for something. */
export const hasBegun = (status: string): boolean => !isInitial(status);

/** For comparisons with texts that may be any: this word is one of the contract's. */
export const queued = 'queued' satisfies ExecutionStatus;

/** Whether a start or a reading shows the status `queued`. */
export const isQueued = (exchange: Exchange): boolean => accepted(exchange) && answerBody(exchange)?.status === queued;

/** The field that says what happens to a start where there is no room, and a start that gives it. */
export const roomField = 'onCapacityLimit' satisfies StartField;
export const ifFull = (then: 'reject' | 'queue') => ({ [roomField]: then });

export const isToQueue = (body: Asked): boolean => body[roomField] === 'queue';
export const asksToQueue = (start: Exchange): boolean => isToQueue(requestFields(start));

/** The fields of a start that callers fill freely, by the fields of its execution that show them. */
export const freeFields = { inputs: 'inputs', metadata: 'metadata' } as const satisfies {
  readonly [Field in keyof Execution]?: StartField;
};
export const free = <Inputs extends object, Metadata extends object>(inputs: Inputs, metadata: Metadata) => ({
  [freeFields.inputs]: inputs,
  [freeFields.metadata]: metadata,
});
/** What a start gives in these, by the same fields. */
export const freeOf = (start: Asked) => ({ inputs: start[freeFields.inputs], metadata: start[freeFields.metadata] });

/** The group that a start asks for, by either name. */
export const groupOf = (start: Exchange): unknown => requestFields(start).profileGroupId;

/** The profile that a start asks for, by either name. */
export const profileOf = (start: Exchange): unknown => requestFields(start).profileId;
