/** interface: Limits, timeoutSeconds; POST execute/sync, how long a call waits. */
import type { RuleId } from '../../../../generated/rules.js';
import { isMeantToPass } from '../../../engine/outcome/expected.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import { accepted, refused, sent, startedId, status } from '../../../engine/outcome/read.js';
import { answeredStatus, ending, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, behindMs, precedes } from '../../../engine/outcome/when.js';
import { broken, kept } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import { answerText, inMs } from '../../../engine/rule/words.js';
import type { Exchange, Facts, Finding, Judge, Trace } from '../../../engine/vocabulary.js';
import { longestLifetime } from '../../executions/lifetime.js';
import { asksToQueue, hasBegun, isStop } from '../../executions/view.js';
import { expectedStates } from '../../expected.js';
import { asksOnlyAccepted } from '../../starts/asked.js';
import { defaultWaitMs, gaveUp, isSync, waitMs } from '../view.js';

/** interface: Limits. What is answered after the shortest wait was not refused for what it asks: something cut the wait short. */
const shortestWaitMs = 1000;

/** Whoever is answered sooner was not answered because the wait was over; timers may be a little early. */
const nearly = 0.95;

export const syncWaits = {
  /**
   * Seen: a call that was accepted, or never answered. Kept where it gave up within its wait, broken where it took longer,
   * give or take the grace.
   */
  'sync-wait-is-bounded': {
    exchange(exchange, { pace }) {
      const wait = isSync(exchange) ? waitMs(exchange) : undefined;
      const endless = exchange.failure?.kind === 'timeout';
      if (wait === undefined || (!endless && startedId(exchange) === undefined)) return undefined;
      if (exchange.durationMs - (exchange.delayMs ?? 0) > wait + pace.latencyGraceMs)
        return broken(
          exchange,
          `an answer within ${inMs(wait)}, give or take ${pace.latencyGraceMs}`,
          `${endless ? 'none' : 'one'} after ${inMs(exchange.durationMs)}`,
        );
      return gaveUp(exchange) ? kept(exchange) : undefined;
    },
  },

  /**
   * Seen: a call without timeoutSeconds that was answered at its end or gave up. Kept where it waited as long as the
   * default; a run that ends sooner tells nothing of it. Broken where it gave up sooner. Excuse: a run that stops may have
   * gone on before the answer was written.
   */
  'sync-default-timeout': {
    trace(trace, facts) {
      const { start } = trace;
      if (!isSync(start) || start.untimed || sent(start)?.timeoutSeconds !== undefined || start.mark?.probe)
        return undefined;
      const waited = start.durationMs;
      if (status(start) === 200) return waited >= defaultWaitMs * nearly ? kept(start) : undefined;
      if (!gaveUp(start)) return undefined;
      if (waited >= defaultWaitMs - facts.pace.latencyGraceMs) return kept(start);
      return mayStop(trace, facts)
        ? undefined
        : broken(start, `a wait of ${inMs(defaultWaitMs)} for the end`, `202 after ${inMs(waited)}`);
    },
    run({ exchanges }, { pace }) {
      const calls = exchanges.filter((one) => isSync(one) && isMeantToPass(one));
      const isSoon = ({ durationMs }: Exchange) => durationMs < shortestWaitMs + pace.latencyGraceMs;
      const named = (one: Exchange) => sent(one)?.timeoutSeconds !== undefined;
      return calls
        .filter((one) => refused(one) && isSoon(one) && !named(one) && outcomeOf(one).kind === 'refused')
        .flatMap((one) => {
          const peer = calls.find(
            (other) =>
              accepted(other) &&
              named(other) &&
              sameId(other.resource, one.resource) &&
              asksOnlyAccepted(one, [], calls),
          );
          return peer ? broken([one, peer], 'a call without timeoutSeconds taken') : [];
        });
    },
  },

  /**
   * Seen: a call of its own timeoutSeconds that gave up. Kept where that time was over, broken where it was not. Excuse: a
   * run that stops may have gone on before the answer was written.
   */
  'sync-202-when-time-is-up': {
    trace(trace, facts) {
      const { start } = trace;
      const wait =
        isSync(start) && sent(start)?.timeoutSeconds !== undefined && gaveUp(start) ? waitMs(start) : undefined;
      if (!start || wait === undefined) return undefined;
      if (start.durationMs >= wait * nearly) return kept(start);
      return mayStop(trace, facts)
        ? undefined
        : broken(start, `a wait of ${inMs(wait)} for the end`, `${answerText(start)} after ${inMs(start.durationMs)}`);
    },
  },

  /**
   * Seen: the first reading after a 202. Kept where it shows the status of the answer. Broken where the answer tells
   * another stop than the reading, or no stop though it came early; where the answer tells that it has begun, and it is
   * queued long after that; or where all answers that give up tell a status that their next readings do not, though an
   * asynchronous run of the workflow leaves it long before.
   */
  'sync-202-status-is-current': {
    trace(trace) {
      const { start } = trace;
      const next = isSync(start) && status(start) === 202 ? nextReading(trace) : undefined;
      const told = start && answeredStatus(start);
      if (!start || !next || !told) return undefined;
      if (next.status === told) return kept([start, next.exchange]);
      const waiting = waitsOn(trace, start);
      if (waiting) return broken([start, waiting], 'the status at the answer, queued', `202 with ${told}`);
      const wait = waitMs(start) ?? 0;
      const isStale = isStop(next.status) && (isStop(told) || (gaveUp(start) && start.durationMs < wait * nearly));
      return isStale
        ? broken([start, next.exchange], `the status at the answer, ${next.status}`, `202 with ${told}`)
        : undefined;
    },
    run: ({ traces }) => stale(traces),
  },

  /**
   * Seen: a 200. Kept where it came before the wait was over; broken where it came then though the run had ended before,
   * give or take the grace. How soon after the end it comes is not shown: a service may look every few seconds.
   */
  'sync-returns-when-done': {
    trace(trace, { pace }) {
      const { start } = trace;
      const wait = isSync(start) && status(start) === 200 ? waitMs(start) : undefined;
      if (!start || wait === undefined || wait <= pace.latencyGraceMs) return undefined;
      const waited = start.durationMs - (start.delayMs ?? 0);
      if (waited < wait * nearly) return kept(start);
      const end = ending(trace);
      const lasted = end && longestLifetime(end.execution);
      return end && lasted !== undefined && waited > lasted + pace.latencyGraceMs
        ? broken(
            [start, end.exchange],
            `an answer when the run ended, after ${inMs(lasted)}`,
            `one when the wait was over, after ${inMs(waited)}`,
          )
        : undefined;
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

/** Sent so soon after the answer that a run seldom moves between. */
const soonMs = 250;

const nextReading = ({ start, readings: all }: Trace) =>
  readings(all).find(({ exchange }) => start !== undefined && precedes(start, exchange));

/** Asked to be queued, and read so from the answer on, until no replica was that far behind. */
function waitsOn({ readings: all }: Trace, start: Exchange): Exchange | undefined {
  if (!asksToQueue(start)) return undefined;
  const after = readings(all).filter(({ exchange }) => precedes(start, exchange));
  const left = after.findIndex((reading) => reading.status !== 'queued');
  const last = after.slice(0, left < 0 ? undefined : left).at(-1)?.exchange;
  return last && last.at - answeredAt(start) >= behindMs ? last : undefined;
}

const mayStop = ({ start, readings: all }: Trace, facts: Facts): boolean =>
  (start !== undefined && expectedStates(start, facts).some(isStop)) ||
  readings(all).some((reading) => isStop(reading.status));

/** Whether an asynchronous run of the same workflow was seen past the status before half the wait of the call was over. */
const isLeftEarly = (call: Exchange, told: string, traces: readonly Trace[]): boolean =>
  traces.some(
    ({ start, readings: all }) =>
      start?.operation === 'execute' &&
      start.resource === call.resource &&
      // One that would have waited, and did not have to, is like any other.
      answeredStatus(start) !== 'queued' &&
      readings(all).some(
        (reading) =>
          reading.status !== told &&
          hasBegun(reading.status) &&
          answeredAt(reading.exchange) - start.at < (waitMs(call) ?? 0) / 2,
      ),
  );

/**
 * Answers may be behind by chance where others are not. Where each is, as the next reading shows, it is no chance if other
 * runs left the status long before, or if it was so whatever the call waited.
 */
function stale(traces: readonly Trace[]): Finding[] {
  const calls = traces.flatMap(({ start, ...trace }) => {
    const told = isSync(start) && gaveUp(start) && !asksToQueue(start) ? answeredStatus(start) : undefined;
    const next = told && start && nextReading({ start, ...trace });
    return start && told === 'starting' && next && next.exchange.at - answeredAt(start) < soonMs
      ? [{ start, told, next }]
      : [];
  });
  const leftEarly = calls.filter(({ start, told }) => isLeftEarly(start, told, traces));
  const waits = new Set(calls.map(({ start }) => waitMs(start)));
  const isNoChance = leftEarly.length > 1 || (calls.length > 2 && waits.size > 1);
  return isNoChance && calls.every(({ told, next }) => next.status !== told)
    ? calls.map(({ start, told, next }) =>
        broken([start, next.exchange], `the status at the answer, ${next.status}`, `202 with ${told}`),
      )
    : [];
}
