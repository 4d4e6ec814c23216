/** interface: Execution, what shows after the end. What is recorded must not depend on how it was started. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import { isOfRun, isProbe } from '../../../engine/outcome/mark.js';
import { answeredStatus, endReading, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, replicaLagMs } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { byKey, has } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { isSync } from '../../sync/view.js';
import { asksToQueue } from '../view.js';

/** An execution of the suite that has ended. */
interface Ended {
  readonly start: Exchange;
  /** When it was known to have ended. */
  readonly from: number;
  readonly read: readonly Reading[];
  readonly last: Reading;
}

function ended(trace: Trace): Ended | [] {
  const { start } = trace;
  const end = endReading(trace);
  if (!start || !isOfRun(start) || isProbe(start) || !end) return [];
  const read = readings(trace.readings).filter(({ status }) => isTerminal(status));
  const last = read.at(-1);
  const endedBy = isTerminal(answeredStatus(start) ?? '') ? start : end.exchange;
  return last ? { start, from: answeredAt(endedBy), read, last } : [];
}

/** Ways in which executions differ, in words that follow "an execution". */
const ways: Readonly<Record<string, (one: Ended) => boolean>> = {
  'that was waited for': ({ start }) => isSync(start),
  'that was not waited for': ({ start }) => !isSync(start),
  'that asked to be queued': ({ start }) => asksToQueue(start),
  'that failed': ({ last }) => last.status === 'failed',
};

/** Executions are compared in groups: a workflow may give no result, but its runs that ended alike give the same. */
const fields: Readonly<Record<string, (one: Ended) => string>> = {
  executionResult: ({ start, last }) => `${start.resource} ${last.status}`,
  terminalAt: () => '',
  duration: () => '',
  triggerContext: () => '',
};

/** A single one may differ by chance. */
const enough = 2;

/** Fails if none of these shows the field, though each of the others does, and they had time enough to show it. */
function compared(field: string, way: string, these: readonly Ended[], others: readonly Ended[]): Finding | undefined {
  const first = ({ read }: Ended) => read.find(({ execution }) => has(execution, field))?.exchange.at;
  const isIn = ({ last }: Ended) => has(last.execution, field);
  if (others.length < enough || !others.every(isIn)) return undefined;
  // What takes a while to be recorded takes it for all.
  const takes = Math.max(...others.map((one) => (first(one) ?? one.from) - one.from)) + replicaLagMs;
  const late = these.filter((one) => isIn(one) || one.last.exchange.at - one.from >= takes);
  const [one, other] = [late[0], others[0]];
  if (!one || !other || late.length < enough) return undefined;
  const both = [one.last.exchange, other.last.exchange];
  if (late.every(isIn)) return satisfied(both);
  return late.some(isIn)
    ? undefined
    : violated(both, `the ${field} of an execution ${way}, as others have one`, 'none');
}

export const alike = {
  /**
   * Judges executions that have ended, and differ in how they were started or whether they failed. Passes if all show
   * what is recorded at an end; fails if none of one kind shows what all of the other kind show.
   */
  'ends-are-recorded-alike': {
    run({ traces }) {
      const all = traces.flatMap(ended);
      return Object.entries(fields).flatMap(([field, groupOf]) =>
        [...byKey(all, groupOf).values()].flatMap((those) =>
          Object.entries(ways).flatMap(
            ([way, is]) =>
              compared(
                field,
                way,
                those.filter(is),
                those.filter((one) => !is(one)),
              ) ?? [],
          ),
        ),
      );
    },
  },
} satisfies Judges;
