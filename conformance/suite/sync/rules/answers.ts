/** interface: POST execute/sync, what the answer says of the execution. */
import { isTerminal } from '../../../../generated/lifecycle.js';
import type { RuleId } from '../../../../generated/rules.js';
import type { ExecutionStatus } from '../../../../generated/types.js';
import { isMeantToPass } from '../../../engine/outcome/expected.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  answer,
  type Fields,
  isFields,
  refused,
  sent,
  startedId,
  status,
} from '../../../engine/outcome/read.js';
import { answeredStatus, due, ending, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, behindMs, precedes } from '../../../engine/outcome/when.js';
import { broken, kept, notTaken, unclear } from '../../../engine/rule/findings.js';
import { startedTwice } from '../../../engine/rule/started-twice.js';
import { equal, instant, resolution, sameId, shows } from '../../../engine/rule/values.js';
import { inMs, shown } from '../../../engine/rule/words.js';
import { sameIn } from '../../../engine/schemas.js';
import type { Exchange, Facts, Finding, Judge, Trace } from '../../../engine/vocabulary.js';
import { lifetime, longestLifetime, shortestLifetime } from '../../executions/lifetime.js';
import { overdue } from '../../executions/overdue.js';
import { isStop } from '../../executions/view.js';
import { expectedStates, toWaitLonger } from '../../expected.js';
import { schemas } from '../../schemas.js';
import { areFilledElsewhere, mayLackFile, requestedOptions } from '../../starts/asked.js';
import { refusedTogether, wasTaken } from '../../starts/refused-together.js';
import { defaultWaitMs, isSync, mayReturnEarly, waitMs } from '../view.js';

const sameResult = sameIn(schemas.fieldsOf('ExecutionResult'));

/** What the execution was when it was read after the answer. */
const after = (trace: Trace, start: Exchange): Reading[] =>
  readings(trace.readings).filter(({ exchange }) => precedes(start, exchange));

/** The status that an accepted call was answered with; a word that the contract does not know as well. */
const told = (exchange: Exchange): string | undefined => {
  const word = isSync(exchange) && accepted(exchange) ? answer(exchange)?.status : undefined;
  return typeof word === 'string' ? word : undefined;
};

export const sync = {
  /**
   * Seen: a call. Kept where a terminal status is answered 200; broken where 200 comes with another, where a run that ended
   * within the wait is answered otherwise, or where a reading contradicts the 200.
   */
  'sync-200-means-terminal': {
    run: ({ exchanges, traces }) =>
      concealed(exchanges, traces, (states) => !states.some(isStop) && states.some(isTerminal), '200'),
    exchange(exchange) {
      const now = told(exchange);
      if (now === undefined || status(exchange) === 202) return undefined;
      if (isTerminal(now))
        return status(exchange) === 200 ? kept(exchange) : broken(exchange, '200 for a run that ended within the wait');
      return status(exchange) === 200
        ? broken(exchange, '200 only with completed, failed or cancelled', `200 with ${shown(now)}`)
        : undefined;
    },
    trace(trace, { stateful, pace }) {
      const { start } = trace;
      if (!isSync(start) || !stateful) return undefined;
      const now = answeredStatus(start);
      if (status(start) === 200) {
        const [next] = after(trace, start);
        return next && now && isTerminal(now) && next.status !== now && !isBehind(trace, start, next)
          ? broken([start, next.exchange], `a run that is ${now}, as the 200 says`, `${next.status} afterwards`)
          : undefined;
      }
      const end = ending(trace);
      const wait = waitMs(start);
      if (status(start) !== 202 || mayReturnEarly(start) || !end || wait === undefined) return undefined;
      const lasted = longestLifetime(end.execution) ?? Number.POSITIVE_INFINITY;
      return Math.min(answeredAt(end.exchange) - start.at, lasted) <= wait - pace.latencyGraceMs
        ? broken(
            [start, end.exchange],
            '200 for a run that ended within the wait',
            `202 after ${inMs(start.durationMs)}`,
          )
        : undefined;
    },
  },

  /**
   * Seen: a call. Kept where a 202 has a status that is not terminal; broken where it has, or where a run that goes on when
   * the wait is over is answered otherwise.
   */
  'sync-202-means-not-finished': {
    run: ({ exchanges, traces }) => concealed(exchanges, traces, (states) => states.some(isStop), '202'),
    exchange(exchange, { pace }) {
      const now = told(exchange);
      if (now !== undefined && status(exchange) === 202)
        return isTerminal(now)
          ? broken(exchange, '202 only with a status that is not terminal', `202 with ${shown(now)}`)
          : kept(exchange);
      if (now !== undefined && status(exchange) !== 200 && !isTerminal(now))
        return broken(exchange, '202 for a run that has not ended');
      const wait = isSync(exchange) && refused(exchange) ? waitMs(exchange) : undefined;
      if (wait === undefined || !isMeantToPass(exchange) || outcomeOf(exchange).kind !== 'refused') return undefined;
      // A gateway may end a long call, with a status of its own.
      return exchange.durationMs >= wait && wait + pace.latencyGraceMs < defaultWaitMs
        ? broken(exchange, '202 when the wait is over')
        : undefined;
    },
    trace(trace, { pace }) {
      const { start } = trace;
      const wait = isSync(start) && status(start) === 200 ? waitMs(start) : undefined;
      const lasted = shortestLifetime(ending(trace)?.execution ?? {});
      return start && wait !== undefined && lasted !== undefined && lasted > wait + pace.latencyGraceMs
        ? broken(
            start,
            `202 for a run that outlasts the wait of ${inMs(wait)}`,
            `200 for a run of ${inMs(lasted)} at least`,
          )
        : undefined;
    },
  },

  /**
   * Seen: an execution after the 202. Kept where it ends as it would have; broken where it is not found, and where it ends
   * otherwise, or stands still many times as long as others take to their end, and an asynchronous run of the workflow does not.
   */
  'sync-202-keeps-running': {
    trace(trace, facts) {
      const { start, readings: read } = trace;
      if (!isSync(start) || status(start) !== 202) return undefined;
      // A reading may be a little behind: what is found later was not lost.
      const last = due(start, read).findLast((reading) => [200, 404].includes(status(reading) ?? 0));
      const lost = last && status(last) === 404 ? last : undefined;
      const end = after(trace, start).find((reading) => isTerminal(reading.status));
      if (lost && !end) return broken([start, lost], 'an execution that can be read by its id', '404');
      return end && endsAs(end, expectedStates(start, facts)) ? kept([start, end.exchange]) : undefined;
    },
    run: ({ traces }, facts) =>
      traces
        .filter(({ start }) => isSync(start) && status(start) === 202)
        .flatMap((trace) => stopped(trace, traces, facts) ?? endedAtStop(trace, traces) ?? []),
  },

  /** Seen: two equal calls. Kept where each has an execution of its own; broken where any two starts share one. */
  'sync-is-not-idempotent': {
    trace: (trace) => startedTwice(trace, isSync, 'an execution for each call'),
    run({ exchanges }) {
      const calls = exchanges.filter((one) => isSync(one) && startedId(one) !== undefined);
      return calls.flatMap((call, index) => {
        const alike = calls
          .slice(0, index)
          .find((one) => one.resource === call.resource && equal(sent(one), sent(call)));
        const isOther = alike && !sameId(startedId(alike), startedId(call));
        return isOther ? kept([call, alike]) : [];
      });
    },
  },

  /**
   * Seen: an answer and the first reading after it. Kept where both show the same result; broken where they do not, where
   * it belongs to another execution, or where it was recorded in time and is left out. Readings need not show results:
   * where they do, one that a reading lacks was not recorded.
   */
  'sync-result-agrees': {
    trace(trace) {
      const { start, executionId } = trace;
      if (!isSync(start)) return undefined;
      const result = answer(start)?.executionResult;
      if (isFields(result) && !sameId(result.executionId, executionId))
        return broken(start, `a result of execution ${executionId}`, `one of ${shown(result.executionId)}`);
      const [next] = after(trace, start);
      return next && isEnd(start, next) && (!isFields(result) || showsResult(next))
        ? resultAgrees(start, result, next)
        : undefined;
    },
    run({ traces }) {
      const areShown = traces.some((trace) => readings(trace.readings).some(showsResult));
      return traces.flatMap((trace) => {
        const { start, executionId } = trace;
        if (!isSync(start)) return [];
        const [next] = after(trace, start);
        const result = answer(start)?.executionResult;
        if (!isFields(result) || !sameId(result.executionId, executionId) || !next || showsResult(next)) return [];
        // What is recorded after the answer is not for it to tell.
        const isEarly = status(start) === 202;
        if (!isEarly && !isEnd(start, next)) return [];
        if (!areShown) return isEarly ? [] : kept(start);
        return broken([start, next.exchange], 'no executionResult, as a reading shows none', shown(result));
      });
    },
  },

  /**
   * Seen: a call that asks for more than to wait. Kept where it is accepted; broken where it is refused, and an
   * asynchronous start that asks for the same is taken.
   */
  'sync-takes-the-same-body': {
    exchange(exchange) {
      const taken = isSync(exchange) && accepted(exchange) && !exchange.mark?.probe;
      return taken && Object.keys(requestedOptions(exchange)).length > 0 ? kept(exchange) : undefined;
    },
    run({ exchanges }) {
      const ours = exchanges.filter(isMeantToPass);
      const calls = ours.filter(isSync);
      const others = calls
        .filter((call) => refused(call) && Object.keys(requestedOptions(call)).length > 0)
        .flatMap((call) => otherBody(call, calls, ours, exchanges) ?? []);
      return [...others, ...refusedTogether('executeSync', exchanges)];
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

/** Whether a reading right after the answer is a replica's, which is behind: the run had ended, as its record tells. */
function isBehind(trace: Trace, start: Exchange, next: Reading): boolean {
  const end = ending(trace);
  const lasted = end && lifetime(end.execution);
  return (
    next.exchange.at - answeredAt(start) < behindMs &&
    end?.status === answeredStatus(start) &&
    lasted !== undefined &&
    lasted <= start.durationMs
  );
}

/** The same, whether it would wait for room or not, and without inputs by their old name. */
function unhurried(start: Exchange): Fields {
  const { onCapacityLimit, dynamicData, ...rest } = requestedOptions(start);
  return rest;
}

/** A refusal that is the call's own: the asynchronous one takes the same, and other calls wait as long. */
function otherBody(
  call: Exchange,
  calls: readonly Exchange[],
  ours: readonly Exchange[],
  exchanges: readonly Exchange[],
): Finding | undefined {
  if (mayLackFile(call, exchanges)) return undefined;
  const fields = Object.keys(requestedOptions(call));
  const alone = (field: string) => calls.some((other) => Object.keys(requestedOptions(other)).join() === field);
  // What was refused together was then asked for one by one.
  if (fields.length > 1 && fields.every(alone)) return undefined;
  const twin = ours.find(
    (other) =>
      other.operation === 'execute' &&
      accepted(other) &&
      other.resource === call.resource &&
      equal(unhurried(other), unhurried(call)) &&
      fields.every((field) => field in requestedOptions(other)),
  );
  const taken = exchanges.filter(accepted);
  const isLasting = fields.every((field) => wasTaken(field, requestedOptions(call)[field], taken));
  const peer = isLasting && waitsAsOthers(call, calls) && twin;
  return notTaken(call, peer, `${fields.join(', ')} taken, as the asynchronous start does`);
}

/**
 * Runs of which a call does not tell: it is refused, though an asynchronous start that asks for the same is taken, and
 * other calls that wait as long are.
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
      // At the end of its wait it was not the run that was answered.
      .filter((call) => call.durationMs < (waitMs(call) ?? 0))
      .flatMap((call) => {
        const twin = traces.find(
          ({ start, readings: all }) =>
            start?.operation === 'execute' &&
            isMeantToPass(start) &&
            start.resource === call.resource &&
            Object.keys(requestedOptions(start)).length === 0 &&
            became(readings(all).map((reading) => reading.status)),
        )?.start;
        if (!twin || !waitsAsOthers(call, calls) || !areFilledElsewhere(call, ours)) return [];
        return notTaken(call, twin, `${required} for a run like that of the asynchronous start`);
      })
  );
}

const waitsAsOthers = (call: Exchange, calls: readonly Exchange[]): boolean =>
  calls.some((other) => accepted(other) && equal(sent(other)?.timeoutSeconds, sent(call)?.timeoutSeconds));

const endsAs = ({ status: end }: Reading, expected: readonly string[]) =>
  expected.filter(isTerminal).every((wanted) => wanted === end);

/** A run that did not end as it would have: one that was started otherwise did. */
function stopped(trace: Trace, traces: readonly Trace[], facts: Facts): Finding | undefined {
  const { start, failedWait } = trace;
  const expected = start ? expectedStates(start, facts).filter(isTerminal) : [];
  const end = ending(trace);
  if (!start || expected.length === 0 || (end ? endsAs(end, expected) : !failedWait)) return undefined;
  if (!end && failedWait?.reason !== 'patience' && failedWait?.reason !== 'stuck')
    return unclear(start, 'The execution could not be followed to its end.');
  const others = traces.filter(
    (other) =>
      other.start?.operation === 'execute' &&
      other.start.resource === start.resource &&
      expectedStates(other.start, facts).length > 0,
  );
  const ended = others.flatMap((other) => ending(other) ?? []);
  const last = readings(trace.readings).at(-1);
  // Of what waits for room, and of a workflow that never ends so, execution-progresses speaks.
  if (!end && last?.status === 'queued') return undefined;
  if (others.length > 0 && !ended.some((other) => endsAs(other, expected))) return undefined;
  const seen = [start, ...(last ? [last.exchange] : [])];
  const required = `the end ${expected.join(' or ')}`;
  if (end) return broken(seen, required, end.status);
  const state = last?.status ?? 'in a state that nobody knows';
  const late = overdue({ ...trace, start }, isTerminal, traces, facts);
  return late
    ? broken([...seen, ...late.beside], required, `still ${state}, ${late.text}`)
    : unclear(
        seen,
        `The execution was still ${state} when it was waited for no longer; ${toWaitLonger(start.resource, facts)}.`,
      );
}

/** A run that was stopped, and cancelled or failed when it was told of: an asynchronous one stays where it is for as long. */
function endedAtStop(trace: Trace, traces: readonly Trace[]): Finding | undefined {
  const { start } = trace;
  const told = start && answeredStatus(start);
  const end = ending(trace);
  if (!start || !told || !isStop(told) || !end || end.status === 'completed') return undefined;
  const stays = traces.some((other) => {
    if (other.start?.operation !== 'execute' || other.start.resource !== start.resource) return false;
    const [first, ...later] = readings(other.readings).filter((reading) => reading.status === told);
    const last = later.at(-1);
    return first && last && last.exchange.at - first.exchange.at >= answeredAt(end.exchange) - answeredAt(start);
  });
  return stays && isMeantToPass(start)
    ? broken([start, end.exchange], `a run that goes on after it was told to be ${told}`, end.status)
    : undefined;
}

const showsResult = ({ execution }: Reading): boolean => shows(execution, 'executionResult');

/** Whether a call is answered with the end that is read next. */
function isEnd(start: Exchange, next: Reading): boolean {
  const now = answeredStatus(start);
  return status(start) === 200 && now !== undefined && isTerminal(now) && next.status === now;
}

function resultAgrees(start: Exchange, result: unknown, { exchange, execution }: Reading): Finding | undefined {
  const { executionResult: read, terminalAt } = execution;
  const both = [start, exchange];
  if (sameResult(result, read)) return kept(both);
  if (isFields(result)) return broken(both, `the result that a reading shows, ${shown(read)}`, shown(result));
  // A result may be recorded after the end; then the call could not tell it.
  const [ended, recorded] = [instant(terminalAt), instant(isFields(read) ? read.createdAt : undefined)];
  if (ended === undefined || recorded === undefined) return undefined;
  // A clock of coarse steps does not tell.
  return recorded <= ended && resolution(ended, recorded) < 1000
    ? broken(both, `the result that was recorded, ${shown(read)}`, 'no executionResult')
    : undefined;
}
