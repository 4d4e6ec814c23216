/** Whether a start ends the runs of its workflow that are under way. interface: What the service does. */
import { isTerminal } from '../../../generated/lifecycle.js';
import { accepted, isStart } from '../../engine/outcome/read.js';
import { answeredStatus, ending } from '../../engine/outcome/readings.js';
import { answeredAt } from '../../engine/outcome/when.js';
import { broken } from '../../engine/rule/findings.js';
import type { Exchange, Facts, Finding, Trace } from '../../engine/vocabulary.js';
import { declaredStates } from '../expected.js';

/** Fewer may be somebody's doing. */
const enough = 3;

interface Over {
  readonly start: Exchange;
  readonly end: Exchange;
  readonly status: string;
  readonly wanted: string;
}

/**
 * Broken where all runs of a workflow beside which another one was started came to the same end, which is not the one that
 * is declared, and all others came to that. One that is sent again alone goes as declared: it tells nothing of these.
 */
export function superseded(traces: readonly Trace[], facts: Facts): Finding[] {
  const starts = traces.flatMap(({ start }) => (start && isStart(start) && accepted(start) ? start : []));
  const runs = traces.flatMap((trace) => endOf(trace, facts) ?? []);
  return [...new Set(runs.map(({ start }) => start.resource))].flatMap((workflow) => {
    const own = runs.filter(({ start }) => start.resource === workflow);
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
          broken(
            [run.end, run.start, ...[next(run) ?? []].flat()],
            `the end ${run.wanted}, whatever else is started`,
            `${run.status}, each time that another one was started`,
          ),
        )
      : [];
  });
}

function endOf(trace: Trace, facts: Facts): Over | undefined {
  const { start } = trace;
  const wanted = start && declaredStates(start, facts).find(isTerminal);
  const told = start && answeredStatus(start);
  const read = ending(trace);
  if (!start || !wanted) return undefined;
  if (told && isTerminal(told)) return { start, end: start, status: told, wanted };
  return read && { start, end: read.exchange, status: read.status, wanted };
}
