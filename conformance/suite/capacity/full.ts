/** Whether a group was full when a request for it was handled. */

import { isWaitingStart } from '../../engine/outcome/read.js';
import { answeredAt } from '../../engine/outcome/when.js';
import type { Evidence, Exchange, Facts } from '../../engine/vocabulary.js';
import { covers, isOfGroup, timed } from '../executions/intervals.js';

/**
 * Whether as many executions as the group has profiles ran from before the request until after it was handled. A
 * synchronous start is handled long before it is answered.
 */
export function groupWasFull({ traces }: Evidence, request: Exchange, { capacity: group, pace }: Facts): boolean {
  if (!group) return false;
  const to = isWaitingStart(request)
    ? Math.min(answeredAt(request), request.at + pace.latencyGraceMs)
    : answeredAt(request);
  const filling = timed(traces)
    .filter(isOfGroup(group.profileGroup))
    .filter(({ trace, surely }) => trace.start !== request && covers(surely, { from: request.at, to }));
  return filling.length >= group.size;
}
