/** Room that was found beside what waited for it. */

import { answeredStatus, ending, readings } from '../../engine/outcome/readings.js';
import { precedes } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange, Facts, Trace } from '../../engine/vocabulary.js';
import { asksToQueue } from '../executions/view.js';
import { groupOf, type Started } from './view.js';

/**
 * Starts that found room while an execution waited for it, each of them sent after it was queued and answered before it was
 * read as queued once more. One without the group shows room in the organization; the group itself is the suite's to fill, and
 * has room as long as fewer of the run's own executions may hold a profile of it than there are.
 */
export function roomsBeside(waiting: Started, traces: readonly Trace[], { capacity }: Facts): Exchange[] {
  const group = groupOf(waiting.start);
  // Of another group others may have every profile: there only a start for that group tells.
  const size =
    group === undefined ? Number.POSITIVE_INFINITY : sameId(group, capacity?.profileGroup) ? capacity?.size : 0;
  const last = readings(waiting.readings).findLast(({ status }) => status === 'queued')?.exchange;
  return traces.flatMap(({ start: other }) => {
    const isBeside = other && last && precedes(waiting.start, other) && precedes(other, last);
    if (!isBeside || asksToQueue(other) || answeredStatus(other) === 'queued') return [];
    const isInGroup = group !== undefined && sameId(groupOf(other), group);
    const taken = mayHold(traces, group, other).length + beginsFirst(traces, waiting, other).length;
    return isInGroup || taken < (size ?? 0) ? other : [];
  });
}

/** Older executions that wait for the same group when another one is started, and have their turn later: room in it is theirs. */
const beginsFirst = (traces: readonly Trace[], waiting: Started, at: Exchange): Trace[] =>
  traces.filter(({ start, readings: all }) => {
    if (!start || !sameId(groupOf(start), groupOf(waiting.start)) || !precedes(start, waiting.start)) return false;
    const seen = readings(all);
    return (
      seen.some((one) => one.status === 'queued' && precedes(at, one.exchange)) && seen.at(-1)?.status !== 'queued'
    );
  });

/** Executions of the run that may hold a profile of the group when another one is started: all that began and had not ended. */
const mayHold = (traces: readonly Trace[], group: unknown, at: Exchange): Trace[] =>
  traces.filter((trace) => {
    const { start } = trace;
    if (!start || group === undefined || !sameId(groupOf(start), group) || !precedes(start, at)) return false;
    const end = ending(trace)?.exchange;
    const seen = readings(trace.readings).filter(({ exchange }) => precedes(exchange, at));
    const stillWaits = readings(trace.readings).some(
      ({ status, exchange }) => status === 'queued' && precedes(at, exchange),
    );
    return !(end && precedes(end, at)) && !stillWaits && (seen.at(-1)?.status ?? answeredStatus(start)) !== 'queued';
  });
