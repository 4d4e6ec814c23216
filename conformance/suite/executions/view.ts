/** What the states of an execution and its start mean. */
import { accepted, sent } from '../../engine/outcome/read.js';
import { answeredStatus } from '../../engine/outcome/readings.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Past the states in which an execution may still wait for what it needs. */
export const hasBegun = (status: string): boolean => status !== 'queued' && status !== 'starting';

/** Whether a start, or a reading, was answered so. */
export const isQueued = (exchange: Exchange): boolean => accepted(exchange) && answeredStatus(exchange) === 'queued';

/** Stops at which a synchronous call may return at once. A pause by the agent may count as one (sync-returns-on-pause). */
export const isStop = (status: string): boolean =>
  status === 'paused' || status === 'awaiting_confirmation' || status === 'paused_by_agent';

export const asksToQueue = (start: Exchange): boolean => sent(start)?.onCapacityLimit === 'queue';

/** The group that a start asks for, by either name. */
export const groupOf = (start: Exchange): unknown => sent(start)?.profileGroupId ?? sent(start)?.agentProfilePoolId;
