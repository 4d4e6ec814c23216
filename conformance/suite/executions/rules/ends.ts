/** interface: States and transitions. What must not change any more once an execution has ended. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { endReading, isGone, type Reading, readings } from '../../../engine/outcome/readings.js';
import { isAfterReplicaLag, mayBeBehind, precedes, replicaLagMs, sentAfter } from '../../../engine/outcome/when.js';
import { combined, satisfied, violated } from '../../../engine/rule/findings.js';
import { sameInstant } from '../../../engine/rule/times.js';
import { has, inMs, jsonText, listOf } from '../../../engine/rule/values.js';
import { sameIn } from '../../../engine/schemas.js';
import type { Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { schemas } from '../../schemas.js';
import { lifetime, longestLifetime } from '../intervals.js';

const sameResult = sameIn(schemas.fieldsOf('ExecutionResult'));

/** What is recorded at the end. A result may be added a little later: that is no change. */
const final = ['terminalAt', 'executionResult'] as const;

/** Each of these as it was first shown after the end. */
const firstShown = (ended: readonly Reading[]) =>
  final.flatMap((field) => {
    const first = ended.find(({ execution }) => has(execution, field));
    return first ? [{ field, value: first.execution[field], first }] : [];
  });

const same = (field: (typeof final)[number], a: unknown, b: unknown): boolean =>
  field === 'executionResult' ? sameResult(a, b) : sameInstant(a, b);

/** The end of an execution, and the readings after it, without those of a replica that is briefly behind. */
function afterEnd(trace: Trace): { readonly end: Reading; readonly afterwards: readonly Reading[] } | undefined {
  const end = endReading(trace);
  if (!end) return undefined;
  const later = readings(trace.readings).filter(({ exchange }) => precedes(end.exchange, exchange));
  const isBehind = ({ exchange, status }: Reading) =>
    !isTerminal(status) &&
    (mayBeBehind(exchange, end.exchange) ||
      (!isAfterReplicaLag(exchange, end.exchange) && later.at(-1)?.status === end.status));
  return { end, afterwards: later.filter((reading) => !isBehind(reading)) };
}

export const ends = {
  /** Judges a reading after the end. Passes if its status is that of the end, else fails. */
  'terminal-is-final': {
    trace(trace) {
      const { end, afterwards } = afterEnd(trace) ?? {};
      return afterwards?.map(({ exchange, status }) =>
        status === end?.status
          ? satisfied([exchange, end.exchange])
          : violated([exchange, ...(end ? [end.exchange] : [])], `${end?.status} never left`, `${status} afterwards`),
      );
    },
  },

  /**
   * Judges a reading after the end. Passes if terminalAt and result are those of the end. Also fails if script
   * failures disappear.
   */
  'terminal-record-is-fixed': combined(
    {
      trace(trace) {
        const { end, afterwards } = afterEnd(trace) ?? {};
        if (!end || !afterwards) return undefined;
        const finals = firstShown([end, ...afterwards]);
        return afterwards.flatMap((reading) => {
          const { exchange, execution, status } = reading;
          // If the status changed, terminal-is-final judges that.
          if (status !== end.status) return [];
          const changed = finals.find(({ field, value, first }) =>
            isGone(first, reading, afterwards.at(-1), (one) => !same(field, value, one.execution[field])),
          );
          if (!changed) return satisfied([exchange, end.exchange]);
          const { field, value, first } = changed;
          return violated(
            [exchange, first.exchange],
            `${field} ${jsonText(value)}, as at the end`,
            jsonText(execution[field]),
          );
        });
      },
    },
    { trace: (trace) => failuresGone(readings(trace.readings)) },
  ),

  /**
   * Judges an execution whose start and end were read. It was created before its start was answered, so its own times
   * say when it had ended at the latest. Fails if it was read as going on well after that.
   */
  'status-is-current': {
    trace(trace, { pace }) {
      const { start } = trace;
      const end = endReading(trace);
      const lasted = end && longestLifetime(end.execution);
      // Times in the wrong order are judged by terminal-at-only-when-terminal.
      if (!start || !end || lasted === undefined || lasted < 0) return undefined;
      const stale = readings(trace.readings).find(
        ({ exchange, status }) =>
          !isTerminal(status) &&
          precedes(exchange, end.exchange) &&
          sentAfter(start, exchange) > lasted + replicaLagMs + pace.latencyGraceMs,
      );
      return stale
        ? violated(
            [stale.exchange, end.exchange, start],
            `${end.status} by then: terminalAt is ${inMs(lifetime(end.execution) ?? lasted)} after createdAt`,
            `${stale.status} ${inMs(sentAfter(start, stale.exchange))} after its start`,
          )
        : satisfied([end.exchange, start]);
    },
  },
} satisfies Judges;

const sameFailure = sameIn(schemas.fieldsOf('ScriptFailure'));

const failuresOf = ({ execution }: Reading) => listOf(execution.scriptFailures);

/** Finds a reading after the end without script failures shown before. While it runs, new ones may replace old ones. */
function failuresGone(all: readonly Reading[]): Finding | undefined {
  const ended = all.filter(({ status }) => isTerminal(status));
  const last = ended.at(-1);
  const most = Math.max(0, ...all.map((one) => failuresOf(one).length));
  const witnesses = [
    ended.find((one) => failuresOf(one).length > 0),
    all.find((one) => failuresOf(one).length === most),
  ].flatMap((one) => (one && failuresOf(one).length > 0 ? one : []));
  for (const witness of witnesses) {
    const lacks = (one: Reading) =>
      isTerminal(witness.status) ? lost(failuresOf(witness), failuresOf(one)) : failuresOf(one).length < most;
    const gone = ended.find((one) => isGone(witness, one, last, lacks));
    if (gone)
      return violated(
        [gone.exchange, witness.exchange],
        `scriptFailures as before, ${failuresOf(witness).length} of them at least`,
        `${failuresOf(gone).length} of them, or others`,
      );
  }
  return undefined;
}

/** Whether one is not shown any more. Duplicates are counted. */
function lost(were: readonly Fields[], are: readonly Fields[]): boolean {
  const left = [...are];
  return were.some((one) => {
    const place = left.findIndex((other) => sameFailure(one, other));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
