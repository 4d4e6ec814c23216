/** interface: POST execute/sync. 200 for a run that ended within the wait, 202 for one that did not. */

import { isStopped, isTerminal } from '../../../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../../../generated/types.js';
import { notAccepted, outcomeOf } from '../../../engine/outcome/outcome.js';
import { accepted, answerBody, isMeantToPass, refused, status } from '../../../engine/outcome/read.js';
import { answeredStatus, endReading, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, isAfterReplicaLag } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { inMs, jsonText } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { lifetime, longestLifetime, shortestLifetime } from '../../executions/intervals.js';
import { startsAtOnce } from '../../operations.js';
import { areFilledElsewhere, requestedOptions } from '../../starts/asked.js';
import { after, defaultWaitMs, isSync, mayReturnEarly, nearly, waitMs, waitsAsOthers } from '../view.js';

/** The status that an accepted call was answered with, even if the contract does not know it. */
const answeredWord = (exchange: Exchange): string | undefined => {
  const word = isSync(exchange) && accepted(exchange) ? answerBody(exchange)?.status : undefined;
  return typeof word === 'string' ? word : undefined;
};

export const statuses = {
  /**
   * Judges a call. Passes if a terminal status is answered with 200. Fails if 200 has another status, if a run
   * that ended within the wait is answered otherwise, or if a reading contradicts the 200.
   */
  'sync-200-means-terminal': {
    run: ({ exchanges, traces }) =>
      concealed(exchanges, traces, (states) => !states.some(isStopped) && states.some(isTerminal), '200'),
    exchange(exchange) {
      const now = answeredWord(exchange);
      if (now === undefined || status(exchange) === 202) return undefined;
      if (isTerminal(now))
        return status(exchange) === 200
          ? satisfied(exchange)
          : violated(exchange, '200 for a run that ended within the wait');
      return status(exchange) === 200
        ? violated(exchange, '200 only with completed, failed or cancelled', `200 with ${jsonText(now)}`)
        : undefined;
    },
    trace(trace, { stateful, pace }) {
      const { start } = trace;
      if (!isSync(start) || !stateful) return undefined;
      const now = answeredStatus(start);
      if (status(start) === 200) {
        const [next] = after(trace, start);
        return next && now && isTerminal(now) && next.status !== now && !isBehind(trace, start, next)
          ? violated([start, next.exchange], `a run that is ${now}, as the 200 says`, `${next.status} afterwards`)
          : undefined;
      }
      const end = endReading(trace);
      const wait = waitMs(start);
      if (status(start) !== 202 || mayReturnEarly(start) || !end || wait === undefined) return undefined;
      const lasted = longestLifetime(end.execution) ?? Number.POSITIVE_INFINITY;
      return Math.min(answeredAt(end.exchange) - start.at, lasted) <= wait - pace.latencyGraceMs
        ? violated(
            [start, end.exchange],
            '200 for a run that ended within the wait',
            `202 after ${inMs(start.durationMs)}`,
          )
        : undefined;
    },
  },

  /**
   * Judges a call. Passes if a 202 has a status that is not terminal. Fails if it has a terminal one, or if a run
   * that outlasts the wait is answered otherwise.
   */
  'sync-202-means-not-finished': {
    run: ({ exchanges, traces }) => concealed(exchanges, traces, (states) => states.some(isStopped), '202'),
    exchange(exchange, { pace }) {
      const now = answeredWord(exchange);
      if (now !== undefined && status(exchange) === 202)
        return isTerminal(now)
          ? violated(exchange, '202 only with a status that is not terminal', `202 with ${jsonText(now)}`)
          : satisfied(exchange);
      if (now !== undefined && status(exchange) !== 200 && !isTerminal(now))
        return violated(exchange, '202 for a run that has not ended');
      const wait = isSync(exchange) && refused(exchange) ? waitMs(exchange) : undefined;
      if (wait === undefined || !isMeantToPass(exchange) || outcomeOf(exchange).kind !== 'refused') return undefined;
      // A gateway may cut off a long call, with a status of its own.
      return exchange.durationMs >= wait && wait + pace.latencyGraceMs < defaultWaitMs
        ? violated(exchange, '202 when the wait is over')
        : undefined;
    },
    trace(trace, { pace }) {
      const { start } = trace;
      const wait = isSync(start) && status(start) === 200 ? waitMs(start) : undefined;
      const lasted = shortestLifetime(endReading(trace)?.execution ?? {});
      // If the answer came before the wait was over, the run did not last longer, whatever its record says.
      const isOver = start && wait !== undefined && start.durationMs >= wait * nearly;
      return isOver && lasted !== undefined && lasted > wait + pace.latencyGraceMs
        ? violated(
            start,
            `202 for a run that outlasts the wait of ${inMs(wait)}`,
            `200 for a run of ${inMs(lasted)} at least`,
          )
        : undefined;
    },
  },
} satisfies Judges;

/** Whether a reading just after the answer comes from a replica that is behind: the run had ended by its record. */
function isBehind(trace: Trace, start: Exchange, next: Reading): boolean {
  const end = endReading(trace);
  const lasted = end && lifetime(end.execution);
  return (
    !isAfterReplicaLag(next.exchange, start) &&
    end?.status === answeredStatus(start) &&
    lasted !== undefined &&
    lasted <= start.durationMs
  );
}

/**
 * Finds calls that do not tell how their run went: they are refused, though an asynchronous start that asks for the
 * same is accepted, and so are other calls that wait as long.
 */
function concealed(
  exchanges: readonly Exchange[],
  traces: readonly Trace[],
  became: (states: readonly ExecutionStatus[]) => boolean,
  required: string,
): Finding[] {
  const ours = exchanges.filter(isMeantToPass);
  const calls = ours.filter(isSync);
  return (
    calls
      .filter((call) => refused(call) && Object.keys(requestedOptions(call)).length === 0)
      // After the whole wait, the refusal may not be about the run.
      .filter((call) => call.durationMs < (waitMs(call) ?? 0))
      .flatMap((call) => {
        const control = traces.find(
          ({ start, readings: all }) =>
            start &&
            startsAtOnce(start) &&
            isMeantToPass(start) &&
            start.resource === call.resource &&
            Object.keys(requestedOptions(start)).length === 0 &&
            became(readings(all).map((reading) => reading.status)),
        )?.start;
        if (!control || !waitsAsOthers(call, calls) || !areFilledElsewhere(call, ours)) return [];
        return notAccepted(call, control, `${required} for a run like that of the asynchronous start`);
      })
  );
}
