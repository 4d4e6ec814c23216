/** interface: Execution, what shows after the end. How an execution was started decides nothing of what is recorded of it. */
import { isTerminal } from '../../../../generated/lifecycle.js';
import { answeredStatus, ending, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, behindMs } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { byKey } from '../../../engine/rule/items-by-key.js';
import { shows } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { isSync } from '../../sync/view.js';
import { asksToQueue } from '../view.js';

/** An execution of the suite that has ended. */
interface Ended {
  readonly start: Exchange;
  /** From when on it was known to have ended. */
  readonly from: number;
  readonly read: readonly Reading[];
  readonly last: Reading;
}

function ended(trace: Trace): Ended | [] {
  const { start } = trace;
  const end = ending(trace);
  if (!start?.mark || start.mark.probe || !end) return [];
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

/** A workflow may give a result or none; that it does is told by runs of it that ended alike. */
const fields: Readonly<Record<string, (one: Ended) => string>> = {
  executionResult: ({ start, last }) => `${start.resource} ${last.status}`,
  terminalAt: () => '',
  duration: () => '',
  triggerContext: () => '',
};

/** Of fewer, one may be otherwise by chance. */
const enough = 2;

/** Violated where none of these shows the field, and each of the others does, for long enough. */
function compared(field: string, way: string, these: readonly Ended[], others: readonly Ended[]): Finding | undefined {
  const first = ({ read }: Ended) => read.find(({ execution }) => shows(execution, field))?.exchange.at;
  const isIn = ({ last }: Ended) => shows(last.execution, field);
  if (others.length < enough || !others.every(isIn)) return undefined;
  // What takes a while to be recorded takes it for all.
  const takes = Math.max(...others.map((one) => (first(one) ?? one.from) - one.from)) + behindMs;
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
   * Seen: executions that have ended, and differ in how they were started, or in whether they failed. Satisfied where all show what
   * is recorded of an end, violated where all of one kind lack what all of the other kind show.
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
