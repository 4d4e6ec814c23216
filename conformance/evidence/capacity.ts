/** Which executions hold the profiles of a group, and when. */
import { isTerminal } from '../../generated/lifecycle.js';
import type { Evidence, Exchange, Trace } from '../vocabulary.js';
import { sent } from './read.js';
import { answeredAt, answeredStatus, asksToQueue, isStop, readings } from './runs.js';
import { sameId } from './values.js';

export type Started = Trace & { readonly start: Exchange };

/** A time, in milliseconds, in which an execution surely holds a profile: whether one that has stopped does, is not shown. */
export interface Hold {
  readonly trace: Started;
  readonly isQueued: boolean;
  readonly from: number;
  readonly to: number;
}

/** The group that a start asks for, by either name. */
export const groupOf = (start: Exchange): unknown => sent(start)?.profileGroupId ?? sent(start)?.agentProfilePoolId;

export function holdsOf({ traces }: Evidence, group: string | undefined): Hold[] {
  return traces.flatMap((trace): Hold | [] => {
    const { start } = trace;
    if (!start || !sameId(groupOf(start), group)) return [];
    const isQueued = asksToQueue(start) || answeredStatus(start) !== 'starting';
    const seen = readings(trace.readings);
    const over = seen.findIndex(({ status }) => isTerminal(status) || isStop(status));
    const going = over < 0 ? seen : seen.slice(0, over);
    const first = isQueued ? going.find(({ status }) => status === 'running')?.exchange : start;
    const last = going.at(-1)?.exchange;
    return first && last ? { trace: { ...trace, start }, isQueued, from: answeredAt(first), to: last.at } : [];
  });
}
