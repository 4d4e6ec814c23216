/** What the states of an execution and the fields of its start mean. */
import { isInitial } from '../../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../../generated/types.js';
import { asked } from '../../engine/outcome/asked.js';
import { accepted } from '../../engine/outcome/read.js';
import { answeredStatus } from '../../engine/outcome/readings.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Whether an execution is past the states in which it may wait for something. */
export const hasBegun = (status: string): boolean => !isInitial(status);

/** For comparisons with texts that may be any: this word is one of the contract's. */
export const queued = 'queued' satisfies ExecutionStatus;

/** Whether a start or a reading shows the status `queued`. */
export const isQueued = (exchange: Exchange): boolean => accepted(exchange) && answeredStatus(exchange) === queued;

export const asksToQueue = (start: Exchange): boolean => asked(start).onCapacityLimit === 'queue';

/** The group that a start asks for, by either name. */
export const groupOf = (start: Exchange): unknown => asked(start).profileGroupId;

/** The profile that a start asks for, by either name. */
export const profileOf = (start: Exchange): unknown => asked(start).profileId;
