/** interface: POST execute/sync, 202: the status that it shows is current. */

import { isStopped } from '../../../../generated/lifecycle.js';
import { status } from '../../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, isAfterReplicaLag } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { asksToQueue, hasBegun } from '../../executions/view.js';
import { startsAtOnce } from '../../operations.js';
import { after, gaveUp, isSync, nearly, waitMs } from '../view.js';

export const currentStatus = {
  /**
   * Judges the first reading after a 202. Passes if it shows the status of the answer. Fails if both show
   * different stops; if the reading shows a stop, and the answer came early without one; if the answer says that it has
   * begun, and it is still queued long after; or if all answers at the end of a wait show `starting` and the next
   * readings do not, unless that may be chance.
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
      const isStale =
        isStopped(next.status) && (isStopped(answered) || (gaveUp(start) && start.durationMs < wait * nearly));
      return isStale
        ? violated([start, next.exchange], `the status at the answer, ${next.status}`, `202 with ${answered}`)
        : undefined;
    },
    run: ({ traces }) => stale(traces),
  },
} satisfies Judges;

/** So soon after the end of a wait, a run has seldom moved on. */
const soonMs = 400;

/** The last reading that shows an execution still queued, if it is too late to come from a replica that is behind. */
function waitsOn(trace: Trace, start: Exchange): Exchange | undefined {
  if (!asksToQueue(start)) return undefined;
  const seen = after(trace, start);
  const left = seen.findIndex((reading) => reading.status !== 'queued');
  const last = seen.slice(0, left < 0 ? undefined : left).at(-1)?.exchange;
  return last && isAfterReplicaLag(last, start) ? last : undefined;
}

/** Whether an asynchronous run of the workflow was seen past this status before half of the call's wait. */
const isLeftEarly = (call: Exchange, answered: string, traces: readonly Trace[]): boolean =>
  traces.some(
    ({ start, readings: all }) =>
      start &&
      startsAtOnce(start) &&
      start.resource === call.resource &&
      // Asking to queue makes no difference if it did not have to wait.
      answeredStatus(start) !== 'queued' &&
      readings(all).some(
        (reading) =>
          reading.status !== answered &&
          hasBegun(reading.status) &&
          answeredAt(reading.exchange) - start.at < (waitMs(call) ?? 0) / 2,
      ),
  );

/**
 * An answer may be behind by chance. It is no chance if all are, and either other runs left the status long before, or
 * calls with different waits show the same.
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
