/** interface: States and transitions. Whether executions reach the states that their workflow is declared to reach. */

import { isStopped, isTerminal } from '../../../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../../../generated/types.js';
import { accepted, isStart } from '../../../engine/outcome/read.js';
import { answeredStatus, endReading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { byKey, inSeconds } from '../../../engine/rule/values.js';
import type { Exchange, Facts, Finding, Judges, Started, Trace } from '../../../engine/vocabulary.js';
import { startsAtOnce } from '../../operations.js';
import { adviceToWaitLonger, declaredStates, expectedStates } from '../../target/roles.js';
import { overdue } from '../intervals.js';

export const progresses = {
  /**
   * Judges a run of a workflow whose states the target file names. Passes if it shows each of them. Fails if it
   * ends otherwise; if it stands still for many times as long as runs like it took or are declared to take; or if runs
   * always end otherwise when another one of their workflow begins. In doubt if only time speaks against it, or if it
   * is queued: others may have taken its place.
   */
  'execution-progresses': {
    run: ({ traces }, facts) => {
      const found = traces.flatMap(({ start, ...rest }) =>
        start ? expectedStates(start, facts).map((wanted) => progress({ start, ...rest }, wanted, facts, traces)) : [],
      );
      // A person may cancel a run, or a site be down: a single stray run is compared with others of its workflow.
      const others = (one: Progress) =>
        found.filter(({ start, wanted }) => start.resource === one.start.resource && wanted === one.wanted);
      const isAlone = (one: Progress) =>
        others(one).filter(({ strayed }) => strayed).length === 1 &&
        others(one).some(({ finding }) => finding?.kind === 'satisfied');
      const own = found.flatMap((one) => (one.strayed && isAlone(one) ? [] : (one.finding ?? [])));
      return [...own, ...superseded(traces, facts)];
    },
  },
} satisfies Judges;

/** Whether a run reached an expected state. */
interface Progress {
  readonly start: Exchange;
  readonly wanted: ExecutionStatus;
  readonly finding: Finding | undefined;
  /** It came to another end, or stopped for good. If others of the workflow do not, it is not the workflow's doing. */
  readonly strayed: boolean;
}

function progress(trace: Started, wanted: ExecutionStatus, facts: Facts, traces: readonly Trace[]): Progress {
  const last = readings(trace.readings).at(-1);
  const finding = reached(trace, wanted, traces, facts);
  const strayed = finding?.kind === 'violated' && (isTerminal(last?.status ?? '') || isStopped(last?.status ?? ''));
  return { start: trace.start, wanted, finding, strayed };
}

function reached(trace: Started, wanted: ExecutionStatus, traces: readonly Trace[], facts: Facts): Finding | undefined {
  const { start, failedWait } = trace;
  const seen = readings(trace.readings);
  const last = seen.at(-1);
  const shows = seen.find(({ status }) => status === wanted)?.exchange;
  if (shows || answeredStatus(start) === wanted) return satisfied(shows ?? start);
  const exchanges = [...(last ? [last.exchange] : []), start];
  const required = `${wanted} reached`;
  if (last && isTerminal(last.status)) {
    if (!isStopped(wanted)) return violated(exchanges, required, `ended as ${last.status}`);
    // A stop may fall between two readings, or pass unseen during a synchronous call.
    return startsAtOnce(start)
      ? inconclusive(exchanges, `The execution ended without having been seen ${wanted}.`)
      : undefined;
  }
  if (!failedWait) return undefined;
  const state = last?.status ?? 'in an unknown state';
  const late = overdue(
    trace,
    (status) => status === wanted || (isTerminal(status) && isTerminal(wanted)),
    traces,
    facts,
  );
  if (late) return violated([...exchanges, ...late.beside], required, `still ${state}, ${late.text}`);
  const waited = inSeconds(failedWait.waitedMs);
  if (last?.status === 'queued')
    return inconclusive(
      exchanges,
      `The execution was still queued after ${waited}: it is unknown whether there was capacity for it.`,
    );
  const declare = adviceToWaitLonger(start.resource, facts);
  const why = {
    patience: `The execution was still ${state} after ${waited}, and not ${wanted}; ${declare}.`,
    stopped: `The run was stopped before the execution was seen ${wanted}: it was still ${state} after ${waited}.`,
    stuck: `Earlier executions stayed ${state}, so the wait for this one was limited to ${waited}; ${declare}.`,
    unreadable: `The execution could no longer be read before it was seen ${wanted}.`,
  };
  return inconclusive(exchanges, why[failedWait.reason]);
}

/** With fewer, a person may have caused it. */
const enough = 3;

interface Over {
  readonly start: Exchange;
  readonly end: Exchange;
  readonly status: string;
  readonly wanted: string;
}

/**
 * Fails if all runs of a workflow during which another one was started came to the same undeclared end, whereas all
 * others ended as declared. Runs that are repeated alone end as declared, so they cannot excuse these.
 */
function superseded(traces: readonly Trace[], facts: Facts): Finding[] {
  const starts = traces.flatMap(({ start }) => (start && isStart(start) && accepted(start) ? start : []));
  const runs = traces.flatMap((trace) => endOf(trace, facts) ?? []);
  return [...byKey(runs, ({ start }) => start.resource)].flatMap(([workflow, own]) => {
    const next = (run: Over) =>
      starts.find(
        (one) =>
          one.resource === workflow && one !== run.start && one.at > run.start.at && one.at < answeredAt(run.end),
      );
    const beside = own.filter(next);
    const alone = own.filter((run) => !beside.includes(run));
    const [first] = beside;
    const isPattern =
      beside.every(({ status, wanted }) => status === first?.status && status !== wanted) &&
      alone.every(({ status, wanted }) => status === wanted);
    return first && isPattern && beside.length >= enough && alone.length > 0
      ? beside.map((run) =>
          violated(
            [run.end, run.start, ...[next(run) ?? []].flat()],
            `the status ${run.wanted}, whatever else is started`,
            `${run.status}, each time that another one was started`,
          ),
        )
      : [];
  });
}

function endOf(trace: Trace, facts: Facts): Over | undefined {
  const { start } = trace;
  const wanted = start && declaredStates(start, facts).find(isTerminal);
  const answered = start && answeredStatus(start);
  const read = endReading(trace);
  if (!start || !wanted) return undefined;
  if (answered && isTerminal(answered)) return { start, end: start, status: answered, wanted };
  return read && { start, end: read.exchange, status: read.status, wanted };
}
