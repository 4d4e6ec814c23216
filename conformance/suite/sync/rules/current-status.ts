/** interface: POST execute/sync, 202. The current status. */

import { status } from '../../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, isLongAfter } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { asksToQueue, hasBegun, isStop } from '../../executions/view.js';
import { after, gaveUp, isSync, nearly, waitMs } from '../view.js';

export const currentStatus = {
  /**
   * Seen: the first reading after a 202. Satisfied where it shows the status of the answer. Violated where the answer tells
   * another stop than the reading, or no stop though it came early; where the answer tells that it has begun, and it is
   * queued long after that; or where all answers that give up tell a status that their next readings do not, though an
   * asynchronous run of the workflow leaves it long before.
   */
  'sync-202-status-is-current': {
    trace(trace) {
      const { start } = trace;
      const next = isSync(start) && status(start) === 202 ? after(trace, start)[0] : undefined;
      const answered = start && answeredStatus(start);
      if (!start || !next || !answered) return undefined;
      if (next.status === answered) return satisfied([start, next.exchange]);
      const waiting = waitsOn(trace, start);
      if (waiting) return violated([start, waiting], 'the status at the answer, queued', `202 with ${answered}`);
      const wait = waitMs(start) ?? 0;
      const isStale = isStop(next.status) && (isStop(answered) || (gaveUp(start) && start.durationMs < wait * nearly));
      return isStale
        ? violated([start, next.exchange], `the status at the answer, ${next.status}`, `202 with ${answered}`)
        : undefined;
    },
    run: ({ traces }) => stale(traces),
  },
} satisfies Judges;

/** A reading that is answered so soon after the wait was over that a run seldom moves between. */
const soonMs = 400;

/** Asked to be queued, and read so from the answer on, until no replica was that far behind. */
function waitsOn(trace: Trace, start: Exchange): Exchange | undefined {
  if (!asksToQueue(start)) return undefined;
  const seen = after(trace, start);
  const left = seen.findIndex((reading) => reading.status !== 'queued');
  const last = seen.slice(0, left < 0 ? undefined : left).at(-1)?.exchange;
  return last && isLongAfter(last, start) ? last : undefined;
}

/** Whether an asynchronous run of the same workflow was seen past the status before half the wait of the call was over. */
const isLeftEarly = (call: Exchange, answered: string, traces: readonly Trace[]): boolean =>
  traces.some(
    ({ start, readings: all }) =>
      start?.operation === 'execute' &&
      start.resource === call.resource &&
      // One that would have waited, and did not have to, is like any other.
      answeredStatus(start) !== 'queued' &&
      readings(all).some(
        (reading) =>
          reading.status !== answered &&
          hasBegun(reading.status) &&
          answeredAt(reading.exchange) - start.at < (waitMs(call) ?? 0) / 2,
      ),
  );

/**
 * Answers may be behind by chance where others are not. Where each is, as the next reading shows, it is no chance if other
 * runs left the status long before, or if it was so whatever the call waited.
 */
function stale(traces: readonly Trace[]): Finding[] {
  const calls = traces.flatMap((trace) => {
    const { start } = trace;
    const answered = isSync(start) && gaveUp(start) && !asksToQueue(start) ? answeredStatus(start) : undefined;
    const next = answered && start && after(trace, start)[0];
    return start &&
      answered === 'starting' &&
      next &&
      answeredAt(next.exchange) - start.at - (waitMs(start) ?? 0) < soonMs
      ? [{ start, answered, next }]
      : [];
  });
  const leftEarly = calls.filter(({ start, answered }) => isLeftEarly(start, answered, traces));
  const waits = new Set(calls.map(({ start }) => waitMs(start)));
  const isNoChance = leftEarly.length > 1 || (calls.length > 2 && waits.size > 1);
  return isNoChance && calls.every(({ answered, next }) => next.status !== answered)
    ? calls.map(({ start, answered, next }) =>
        violated([start, next.exchange], `the status at the answer, ${next.status}`, `202 with ${answered}`),
      )
    : [];
}
