/** What the states of an execution and the fields of its start mean. */

import { asked } from '../../engine/outcome/asked.js';
import { accepted } from '../../engine/outcome/read.js';
import { answeredStatus } from '../../engine/outcome/readings.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Whether an execution is past the states in which it may wait for something. */
export const hasBegun = (status: string): boolean => status !== 'queued' && status !== 'starting';

/** Whether a start or a reading shows the status `queued`. */
export const isQueued = (exchange: Exchange): boolean => accepted(exchange) && answeredStatus(exchange) === 'queued';

/** States at which a synchronous call may return at once. `paused_by_agent` may be one (gap sync-returns-on-pause). */
export const isStop = (status: string): boolean =>
  status === 'paused' || status === 'awaiting_confirmation' || status === 'paused_by_agent';

export const asksToQueue = (start: Exchange): boolean => asked(start).onCapacityLimit === 'queue';

/** The group that a start asks for, by either name. */
export const groupOf = (start: Exchange): unknown => asked(start).profileGroupId;

/** The profile that a start asks for, by either name. */
export const profileOf = (start: Exchange): unknown => asked(start).profileId;
