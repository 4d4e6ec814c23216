/** interface: POST execute/sync, 202. The execution goes on, and the status that it shows is current. */

import { isStopped, isTerminal } from '../../../../generated/lifecycle.js';
import { isMeantToPass, status } from '../../../engine/outcome/read.js';
import { answeredStatus, endReading, lastNotFound, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, isAfterReplicaLag } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import type { Exchange, Facts, FailedWait, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { overdue } from '../../executions/intervals.js';
import { asksToQueue, hasBegun } from '../../executions/view.js';
import { startsAtOnce } from '../../operations.js';
import { adviceToWaitLonger, expectedStates } from '../../target/roles.js';
import { after, gaveUp, isSync, nearly, waitMs } from '../view.js';

// interface: POST execute/sync, 202: the status that it shows is current.

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
      const next = outlasted(start) ? after(trace, start)[0] : undefined;
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

const outlasted = (start: Exchange | undefined): start is Exchange => isSync(start) && status(start) === 202;

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

// interface: POST execute/sync. The execution keeps running after a 202.

export const keepsRunning = {
  /**
   * Judges an execution after a 202. Passes if it ends as declared. Fails if it is not found; or if it, and not it
   * alone, ends or stops otherwise or stands still for long, though an asynchronous run of the workflow ends so.
   */
  'sync-202-keeps-running': {
    trace(trace, facts) {
      const { start, readings: read } = trace;
      if (!outlasted(start)) return undefined;
      const missed = lastNotFound(start, read);
      const end = after(trace, start).find((reading) => isTerminal(reading.status));
      if (missed && !end) return violated([start, missed], 'an execution that can be read by its id', '404');
      return end && endsAs(end, endsOf(start, facts)) ? satisfied([start, end.exchange]) : undefined;
    },
    run: ({ traces }, facts) =>
      traces
        .filter(({ start }) => outlasted(start))
        .flatMap((trace) => stopped(trace, traces, facts) ?? endedAtStop(trace, traces) ?? []),
  },
} satisfies Judges;

const endsOf = (start: Exchange, facts: Facts): readonly string[] => expectedStates(start, facts).filter(isTerminal);

const endsAs = ({ status: end }: Reading, expected: readonly string[]) => expected.every((wanted) => wanted === end);

/** Whether it was waited for long enough to show that it does not end. */
const isLong = (wait: FailedWait | undefined): boolean => wait?.reason === 'patience' || wait?.reason === 'stuck';

/** Whether a run that outlasted its call did not end as declared. */
function wentOtherwise(trace: Trace, facts: Facts): boolean {
  const [{ start, failedWait }, end] = [trace, endReading(trace)];
  const expected = outlasted(start) ? endsOf(start, facts) : [];
  return expected.length > 0 && (end ? !endsAs(end, expected) : isLong(failedWait));
}

/** Judges a run that did not end as declared, though a run that was started otherwise did. */
function stopped(trace: Trace, traces: readonly Trace[], facts: Facts): Finding | undefined {
  const { start, failedWait } = trace;
  const expected = start ? endsOf(start, facts) : [];
  const end = endReading(trace);
  if (!start || expected.length === 0 || (end ? endsAs(end, expected) : !failedWait)) return undefined;
  if (!end && !isLong(failedWait)) return inconclusive(start, 'The execution could not be followed to its end.');
  const others = traces.filter(
    (other) =>
      other.start &&
      startsAtOnce(other.start) &&
      other.start.resource === start.resource &&
      expectedStates(other.start, facts).length > 0,
  );
  const ended = others.flatMap((other) => endReading(other) ?? []);
  const last = readings(trace.readings).at(-1);
  // Queued executions, and workflows that never end as declared, are judged by execution-progresses.
  if (!end && last?.status === 'queued') return undefined;
  if (others.length > 0 && !ended.some((other) => endsAs(other, expected))) return undefined;
  const seen = [start, ...(last ? [last.exchange] : [])];
  const required = `the end ${expected.join(' or ')}`;
  // A single run may fail, or stop to ask, by itself.
  const isAgain = traces.some((other) => other !== trace && wentOtherwise(other, facts));
  if (!isAgain && last && (end || isStopped(last.status)))
    return inconclusive(
      seen,
      `It is ${last.status}, and no other execution that outlasted its call ended otherwise than declared.`,
    );
  if (end) return violated(seen, required, end.status);
  const state = last?.status ?? 'in an unknown state';
  const late = overdue({ ...trace, start }, isTerminal, traces, facts);
  return late
    ? violated([...seen, ...late.beside], required, `still ${state}, ${late.text}`)
    : inconclusive(
        seen,
        `The execution was still ${state} when the suite stopped waiting; ${adviceToWaitLonger(start.resource, facts)}.`,
      );
}

/** Finds a run that was stopped, then cancelled or failed, though an asynchronous one stays stopped for longer. */
function endedAtStop(trace: Trace, traces: readonly Trace[]): Finding | undefined {
  const { start } = trace;
  const answered = start && answeredStatus(start);
  const end = endReading(trace);
  if (!start || !answered || !isStopped(answered) || !end || end.status === 'completed') return undefined;
  const stays = traces.some((other) => {
    if (!other.start || !startsAtOnce(other.start) || other.start.resource !== start.resource) return false;
    const [first, ...later] = readings(other.readings).filter((reading) => reading.status === answered);
    const last = later.at(-1);
    return first && last && last.exchange.at - first.exchange.at >= answeredAt(end.exchange) - answeredAt(start);
  });
  return stays && isMeantToPass(start)
    ? violated([start, end.exchange], `a run that goes on after the answer ${answered}`, end.status)
    : undefined;
}
