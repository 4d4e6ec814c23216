/** interface: POST execute/sync; Limits. */
import { isTerminal } from '../../../generated/lifecycle.js';
import type { RuleId } from '../../../generated/rules.js';
import { acceptedExecutionId, answer, isFields, sent, status } from '../../evidence/read.js';
import {
  answeredAt,
  answeredStatus,
  due,
  ending,
  isStop,
  lifetime,
  precedes,
  type Reading,
  readings,
} from '../../evidence/runs.js';
import { equal, instant, resolution, sameId } from '../../evidence/values.js';
import type { Exchange, Finding, Judge, Trace } from '../../vocabulary.js';
import { excuse, expectedStates, heard, meantToPass } from '../expected.js';
import { broken, kept, unclear } from '../findings.js';
import { shown } from '../words.js';

/** interface: Limits, timeoutSeconds. */
const defaultWaitMs = 25_000;

/** How long a call was to wait, in milliseconds; undefined where the request is not a valid one. */
function waitMs(start: Exchange): number | undefined {
  const { timeoutSeconds } = sent(start) ?? {};
  if (timeoutSeconds === undefined) return defaultWaitMs;
  return typeof timeoutSeconds === 'number' && timeoutSeconds >= 1 && timeoutSeconds * 1000 <= defaultWaitMs
    ? timeoutSeconds * 1000
    : undefined;
}

const isSync = (exchange: Exchange | undefined): exchange is Exchange => exchange?.operation === 'executeSync';

/** Answered 202 before the end, and not at a stop or in the queue, where a call may return at once. */
const gaveUp = (start: Exchange) => {
  const now = answeredStatus(start);
  return status(start) === 202 && now !== undefined && now !== 'queued' && !isStop(now);
};

const after = (trace: Trace, start: Exchange): Reading[] =>
  readings(trace.readings).filter(({ exchange }) => precedes(start, exchange));

const inWords = (ms: number) => `${Math.round(ms)} ms`;

export const sync = {
  'sync-200-means-terminal': {
    exchange(exchange) {
      const now = answer(exchange)?.status;
      if (!isSync(exchange) || status(exchange) !== 200 || typeof now !== 'string') return undefined;
      return isTerminal(now)
        ? kept(exchange)
        : broken(exchange, '200 only with completed, failed or cancelled', `200 with ${shown(now)}`);
    },
    trace(trace, { stateful, pace }) {
      const { start } = trace;
      if (!isSync(start) || !stateful) return undefined;
      const told = answeredStatus(start);
      const [next] = after(trace, start);
      if (status(start) === 200 && told && isTerminal(told) && next && next.status !== told)
        return broken([start, next.exchange], `a run that is ${told}, as the 200 says`, `${next.status} afterwards`);
      const wait = waitMs(start);
      const end = ending(trace)?.exchange;
      if (!end || wait === undefined || !gaveUp(start)) return undefined;
      return answeredAt(end) <= start.at + wait - pace.latencyGraceMs
        ? broken([start, end], '200 for a run that ended within the wait', `202 after ${inWords(start.durationMs)}`)
        : undefined;
    },
  },

  'sync-202-means-not-finished': {
    exchange(exchange, { pace }) {
      if (!isSync(exchange)) return undefined;
      const now = answer(exchange)?.status;
      if (status(exchange) === 202 && typeof now === 'string')
        return isTerminal(now)
          ? broken(exchange, '202 only with a status that is not terminal', `202 with ${shown(now)}`)
          : kept(exchange);
      // A gateway may end a long call, with a status of its own.
      const wait = waitMs(exchange);
      const failed = (status(exchange) ?? 0) >= 400 && meantToPass(exchange) && excuse(exchange) === undefined;
      return failed && wait !== undefined && exchange.durationMs >= wait && wait + pace.latencyGraceMs < defaultWaitMs
        ? broken(exchange, '202 when the wait is over', heard(exchange))
        : undefined;
    },
    trace(trace, { pace }) {
      const { start } = trace;
      const lasted = lifetime(ending(trace)?.execution ?? {});
      const wait = start && waitMs(start);
      if (!isSync(start) || status(start) !== 200 || lasted === undefined || wait === undefined) return undefined;
      return lasted > wait + pace.latencyGraceMs
        ? broken(
            start,
            `202 for a run that outlasts the wait of ${inWords(wait)}`,
            `200 for a run of ${inWords(lasted)}`,
          )
        : undefined;
    },
  },

  'sync-wait-is-bounded': {
    exchange(exchange, { pace }) {
      const wait = waitMs(exchange);
      if (!isSync(exchange) || wait === undefined) return undefined;
      const endless = exchange.failure?.kind === 'timeout';
      if (!endless && acceptedExecutionId(exchange) === undefined) return undefined;
      if (exchange.durationMs > wait + pace.latencyGraceMs)
        return broken(
          exchange,
          `an answer within ${inWords(wait)}, give or take ${pace.latencyGraceMs}`,
          `${endless ? 'none' : 'one'} after ${inWords(exchange.durationMs)}`,
        );
      return gaveUp(exchange) ? kept(exchange) : undefined;
    },
  },

  'sync-202-keeps-running': {
    trace(trace, facts) {
      const { start, lapse, readings: read } = trace;
      if (!isSync(start) || status(start) !== 202) return undefined;
      const lost = due(start, read).find((reading) => status(reading) === 404);
      if (lost) return broken([start, lost], 'an execution that can be read by its id', '404');
      const end = after(trace, start).find((reading) => isTerminal(reading.status));
      const ends = expectedStates(start, facts).filter(isTerminal);
      if (end)
        return ends.every((wanted) => wanted === end.status)
          ? kept([start, end.exchange])
          : broken([start, end.exchange], `the end ${ends.join(' or ')}`, end.status);
      if (!lapse || ends.length === 0) return undefined;
      const last = readings(read).at(-1);
      return lapse.reason === 'patience'
        ? broken(
            [start, ...(last ? [last.exchange] : [])],
            'a run that goes on',
            `${last?.status ?? 'nothing'} for good`,
          )
        : unclear(start, 'The execution could not be followed to its end.');
    },
  },

  'sync-is-not-idempotent': {
    run({ exchanges }) {
      const calls = exchanges.filter((one) => isSync(one) && acceptedExecutionId(one) !== undefined);
      return calls.flatMap((call, index) => {
        const earlier = calls.slice(0, index);
        const sameRun = earlier.find((one) => sameId(acceptedExecutionId(one), acceptedExecutionId(call)));
        if (sameRun)
          return broken([call, sameRun], 'an execution for each call', `${acceptedExecutionId(call)} for two`);
        const twin = earlier.find((one) => one.resource === call.resource && equal(sent(one), sent(call)));
        return twin ? kept([call, twin]) : [];
      });
    },
  },

  'sync-result-agrees': {
    trace(trace) {
      const { start, executionId } = trace;
      const told = start && answer(start)?.executionResult;
      if (!isSync(start)) return undefined;
      if (isFields(told) && !sameId(told.executionId, executionId))
        return broken(start, `a result of execution ${executionId}`, `one of ${shown(told.executionId)}`);
      const end = after(trace, start).find((reading) => isTerminal(reading.status));
      return status(start) === 200 && end ? resultAgrees(start, told, end) : undefined;
    },
  },

  'sync-default-timeout': {
    exchange(exchange, { pace }) {
      if (!isSync(exchange) || !sent(exchange) || sent(exchange)?.timeoutSeconds !== undefined) return undefined;
      if (exchange.mark?.probe || acceptedExecutionId(exchange) === undefined) return undefined;
      const waited = exchange.durationMs;
      // Within the first second no wait is told from another.
      if (status(exchange) === 200) return waited > 1000 ? kept(exchange) : undefined;
      if (!gaveUp(exchange)) return undefined;
      return waited < defaultWaitMs - pace.latencyGraceMs
        ? broken(exchange, `a wait of ${inWords(defaultWaitMs)} for the end`, `202 after ${inWords(waited)}`)
        : kept(exchange);
    },
  },

  'sync-returns-when-done': {
    trace(trace, { pace }) {
      const { start } = trace;
      const wait = start && waitMs(start);
      if (!isSync(start) || status(start) !== 200 || wait === undefined) return undefined;
      const grace = pace.latencyGraceMs;
      // Well before the wait is over only the end can have been the reason.
      if (start.durationMs < wait - grace) return kept(start);
      const end = ending(trace);
      const lasted = end && lifetime(end.execution);
      if (!end || lasted === undefined || lasted + grace >= wait || start.durationMs <= lasted + grace)
        return undefined;
      return broken(
        [start, end.exchange],
        `an answer when the run ended, after ${inWords(lasted)}`,
        `one after ${inWords(start.durationMs)}, when the wait was over`,
      );
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

function resultAgrees(start: Exchange, told: unknown, { exchange, execution }: Reading): Finding | undefined {
  const { executionResult: read, terminalAt } = execution;
  const both = [start, exchange];
  if (equal(told, read)) return kept(both);
  if (isFields(told)) return broken(both, `the result that a reading shows, ${shown(read)}`, shown(told));
  // A result may be recorded after the end; then the call could not tell it.
  const [ended, recorded] = [instant(terminalAt), instant(isFields(read) ? read.createdAt : undefined)];
  if (ended === undefined || recorded === undefined) return undefined;
  return recorded < ended + resolution(ended, recorded)
    ? broken(both, `the result that was recorded, ${shown(read)}`, 'no executionResult')
    : undefined;
}
