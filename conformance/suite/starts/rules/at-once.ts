/** interface: POST execute. A start is answered at once. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import { isOfRun } from '../../../engine/outcome/mark.js';
import { accepted } from '../../../engine/outcome/read.js';
import { readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { isOfGroup, lifetime, recordedEnd, timed } from '../../executions/intervals.js';
import { groupOf, isQueued } from '../../executions/view.js';
import { startsAtOnce } from '../../operations.js';

/** No workflow that is declared as slow ends sooner. */
const slowAtLeastMs = 1000;

/** Tolerance: an answer that waits for the end of a run takes about as long as the run. */
const nearly = 0.9;

/** A delay below this is no wait for the end of a run. */
const atOnceMs = 250;

/** How long a start took to be answered, beyond what answers of this target usually take. */
const waited = ({ start, readings: all }: Pick<Trace, 'start' | 'readings'>): number =>
  (start?.durationMs ?? 0) - Math.max(...all.map(({ durationMs }) => durationMs));

const isQuick = ({ start, readings: all }: Trace): boolean =>
  start !== undefined && startsAtOnce(start) && accepted(start) && waited({ start, readings: all }) < atOnceMs;

/** Whether something else took as long to be answered that waited for no end: a reading, or a start whose run ended at another time. */
function isSlowAnyway({ start, readings: all }: Trace, than: Exchange): boolean {
  const isAsLong = ({ durationMs }: Exchange) => durationMs >= than.durationMs * nearly;
  if (all.some(isAsLong)) return true;
  if (!start || !startsAtOnce(start) || !accepted(start)) return false;
  const lasted = lifetime(readings(all).at(-1)?.execution ?? {});
  const isOther = lasted !== undefined && (lasted < start.durationMs / 2 || lasted * nearly > start.durationMs);
  return isAsLong(start) && isOther;
}

/** Finds a start that is answered when its run has ended, after a second or more, or of the slow workflow. */
function heldToTheEnd(
  { start, readings: all }: Trace,
  traces: readonly Trace[],
  slow: string | undefined,
): Finding | undefined {
  const [first] = readings(all);
  if (!start || !startsAtOnce(start) || !first || !isTerminal(first.status)) return undefined;
  const isSlow = start.resource === slow;
  const lasted = lifetime(first.execution) ?? (isSlow ? slowAtLeastMs : 0);
  // Where no start is quick, only a run that is slow for sure tells that it was waited for.
  if (!isSlow && (lasted < slowAtLeastMs || !traces.some(isQuick))) return undefined;
  // The usual latency of the target is not a wait.
  const isLate = waited({ start, readings: all }) >= Math.max(atOnceMs, lasted * nearly);
  return isLate && !traces.some((other) => isSlowAnyway(other, start))
    ? violated(
        [start, first.exchange],
        'an answer before the run ends',
        `an answer after ${Math.round(start.durationMs)} ms, of a run that lasted ${Math.round(lasted)} ms`,
      )
    : undefined;
}

/** Judges the start of a slow run that was not found late: whether it was answered while the run went on. */
function ofSlow({ start, readings: all }: Trace, slow: string | undefined): Finding | undefined {
  const [first] = readings(all);
  if (!start || !startsAtOnce(start) || start.resource !== slow || !first) return undefined;
  const recorded = lifetime(first.execution);
  if (
    !isTerminal(first.status) ||
    // Answered at once, however short the run.
    (waited({ start, readings: all }) < atOnceMs && (recorded ?? slowAtLeastMs) < slowAtLeastMs) ||
    // By the service's own clock the run went on long after the answer, whenever it was read.
    (recorded !== undefined && start.durationMs < recorded / 2)
  )
    return satisfied([start, first.exchange]);
  const late = Math.round(answeredAt(first.exchange) - start.at);
  return isOfRun(start)
    ? inconclusive([start, first.exchange], `The run was first read ${late} ms after its start, and had ended.`)
    : undefined;
}

/** Finds a start that is answered `queued` only when it is no longer: what held its group ended before the answer. */
function heldBack({ start, readings: all }: Trace, traces: readonly Trace[]): Finding | undefined {
  const [first] = readings(all);
  if (!start || !first || first.status === 'queued') return undefined;
  const ended = timed(traces)
    .filter(isOfGroup(groupOf(start)))
    .find(({ trace }) => {
      const end = recordedEnd(trace);
      return precedes(trace.start, start) && end > start.at + atOnceMs && end <= answeredAt(start);
    });
  return waited({ start, readings: all }) >= atOnceMs && ended
    ? violated([start, ended.trace.start], 'an answer while it waits', `one after ${Math.round(start.durationMs)} ms`)
    : undefined;
}

export const atOnce = {
  /**
   * Judges an asynchronous start of the slow workflow, and its first reading. Passes if the answer came long before
   * the end. Fails if it took as long as the run, also of another workflow, unless other answers take that long
   * anyway; or if queued starts are always answered only when they begin.
   */
  'execute-returns-at-once': {
    run({ traces }, { workflows }) {
      const waiting = traces.filter(({ start }) => start && startsAtOnce(start) && isOfRun(start) && isQueued(start));
      const late = waiting.flatMap((trace) => heldBack(trace, traces) ?? []);
      // The end that released one of them may have come too soon to notice, so shorter delays count as well.
      const isEach = late.length > 1 && waiting.every((trace) => waited(trace) >= atOnceMs / 2);
      return [
        ...(isEach ? late : []),
        ...traces.flatMap(
          (trace) => heldToTheEnd(trace, traces, workflows.slow) ?? ofSlow(trace, workflows.slow) ?? [],
        ),
      ];
    },
  },
} satisfies Judges;
