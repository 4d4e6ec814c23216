/** interface: POST execute. A start is answered at once. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import { accepted } from '../../../engine/outcome/read.js';
import { readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { surelyUntil } from '../../capacity/view.js';
import { lifetime } from '../../executions/lifetime.js';
import { groupOf, isQueued } from '../../executions/view.js';

/** No workflow that is declared as slow ends sooner. */
const slowAtLeastMs = 1000;

/** Whoever waits for the end of a run is answered then; what was measured of both may differ a little. */
const nearly = 0.9;

/** Nobody waits for the end of a run for so little. */
const atOnceMs = 250;

/** How long an answer to a start took, beside what an answer of this target takes anyway. */
const waited = ({ start, readings: all }: Pick<Trace, 'start' | 'readings'>): number =>
  (start?.durationMs ?? 0) - Math.max(...all.map(({ durationMs }) => durationMs));

/** Whether another start took as long to be answered, though its run was over long before. */
function isSlowAnyway({ start, readings: all }: Trace, than: Exchange): boolean {
  if (start?.operation !== 'execute' || !accepted(start)) return false;
  const lasted = lifetime(readings(all).at(-1)?.execution ?? {});
  return start.durationMs >= than.durationMs * nearly && lasted !== undefined && lasted < start.durationMs / 2;
}

/** The start of a run that goes on after an answer that does not wait for it. */
function ofSlow(
  { start, readings: all }: Trace,
  traces: readonly Trace[],
  slow: string | undefined,
): Finding | undefined {
  if (start?.operation !== 'execute' || start.resource !== slow) return undefined;
  const [first] = readings(all);
  if (!first) return undefined;
  if (!isTerminal(first.status)) return satisfied([start, first.exchange]);
  // What an answer of this target takes anyway is no waiting.
  const long = waited({ start, readings: all });
  const recorded = lifetime(first.execution);
  const lasted = recorded ?? slowAtLeastMs;
  // As soon as anything is answered here, however short the run.
  if (long < atOnceMs && lasted < slowAtLeastMs) return satisfied([start, first.exchange]);
  // By the service's own clock it went on long after the answer, whenever it was read.
  if (recorded !== undefined && start.durationMs < recorded / 2) return satisfied([start, first.exchange]);
  if (long >= lasted * nearly && !traces.some((other) => isSlowAnyway(other, start)))
    return violated(
      [start, first.exchange],
      'an answer before the run has ended',
      `an answer after ${Math.round(start.durationMs)} ms, of a run that lasted ${Math.round(lasted)} ms`,
    );
  const late = Math.round(answeredAt(first.exchange) - start.at);
  return (
    start.mark &&
    inconclusive([start, first.exchange], `The run was first read ${late} ms after its start, and had ended.`)
  );
}

/** A start that is answered as queued when it is not any more: what held its group ended before the answer came. */
function heldBack({ start, readings: all }: Trace, traces: readonly Trace[]): Finding | undefined {
  const [first] = readings(all);
  if (!start || !first || first.status === 'queued') return undefined;
  const ended = traces.find(({ start: other, ...rest }) => {
    if (!other || !sameId(groupOf(other), groupOf(start)) || !precedes(other, start)) return false;
    const end = surelyUntil({ start: other, ...rest });
    return end > start.at + atOnceMs && end <= answeredAt(start);
  });
  return waited({ start, readings: all }) >= atOnceMs && ended?.start
    ? violated([start, ended.start], 'an answer while it waits', `one after ${Math.round(start.durationMs)} ms`)
    : undefined;
}

export const atOnce = {
  /**
   * Seen: an asynchronous start of the slow workflow, and the first reading. Satisfied where the answer came long before the
   * end; violated where it took as long as the run, and no other answer took as long whose run did not, or where what is
   * queued is answered when it begins, each time.
   */
  'execute-returns-at-once': {
    run({ traces }, { workflows }) {
      const waiting = traces.filter(({ start }) => start?.operation === 'execute' && start.mark && isQueued(start));
      const late = waiting.flatMap((trace) => heldBack(trace, traces) ?? []);
      // What held back one of them may have been over too soon to tell.
      const isEach = late.length > 1 && waiting.every((trace) => waited(trace) >= atOnceMs / 2);
      return [...(isEach ? late : []), ...traces.flatMap((trace) => ofSlow(trace, traces, workflows.slow) ?? [])];
    },
  },
} satisfies Judges;
