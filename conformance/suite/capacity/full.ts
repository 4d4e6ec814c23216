/** Whether a group was full when a request for it was handled. */

import { isStopped } from '../../../generated/lifecycle.js';
import { answerBody, isWaitingStart } from '../../engine/outcome/read.js';
import { answeredStatus, endReading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import { instant, sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Trace } from '../../engine/vocabulary.js';
import { shortestLifetime } from '../executions/lifetime.js';
import { asksToQueue, groupOf } from '../executions/view.js';
import { holdsOf } from './view.js';

/**
 * Whether as many executions as the group has profiles ran from before the request until after it was handled. A
 * synchronous start is handled long before it is answered.
 */
export function groupWasFull(evidence: Evidence, request: Exchange, { capacity: group, pace }: Facts): boolean {
  if (!group) return false;
  const met = isWaitingStart(request)
    ? Math.min(answeredAt(request), request.at + pace.latencyGraceMs)
    : answeredAt(request);
  const filling = holdsOf(evidence, group.profileGroup).filter(
    ({ trace, from, to }) => trace.start !== request && from <= request.at && to >= met,
  );
  return filling.length >= group.size;
}

/** How far the clocks of instances usually differ. A group is often full for seconds only, so more would hide it. */
const skewMs = 500;

/**
 * Whether an execution was created while as many earlier ones as the group has profiles were running. Judged by their
 * own records, so that it does not matter how long an answer took.
 */
export function wasCreatedBeside({ traces }: Evidence, request: Exchange, { capacity: group }: Facts): boolean {
  const at = createdAt(traces.find(({ start }) => start === request));
  if (!group || at === undefined) return false;
  const beside = traces.filter((trace) => {
    const { start, readings: all } = trace;
    if (!start || start === request || !sameId(groupOf(start), group.profileGroup) || asksToQueue(start)) return false;
    const isEarlier = isWaitingStart(start)
      ? at > (createdAt(trace) ?? at)
      : answeredStatus(start) === 'starting' && precedes(start, request);
    const seen = readings(all);
    const end = endReading(trace)?.execution ?? {};
    const until = instant(end.terminalAt);
    const isWaiting = seen.some(({ status }) => status === 'queued' || isStopped(status));
    if (!isEarlier || isWaiting || until === undefined) return false;
    // By our own clock: it began no sooner than it was requested, and lasted at least its lifetime.
    return until - at > skewMs || start.at + (shortestLifetime(end) ?? 0) > answeredAt(request);
  });
  return beside.length >= group.size;
}

const createdAt = (trace: Trace | undefined): number | undefined =>
  instant(trace?.readings.map((one) => answerBody(one)?.createdAt).find((at) => at !== undefined));
