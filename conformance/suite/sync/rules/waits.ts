/** interface: Limits, timeoutSeconds; POST execute/sync, how long a call waits. */

import { isStopped } from '../../../../generated/lifecycle.js';
import { isProbe } from '../../../engine/outcome/mark.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import { accepted, isMeantToPass, refused, requestFields, status } from '../../../engine/outcome/read.js';
import { endReading, readings } from '../../../engine/outcome/readings.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { acceptedFinding, type Bound, bounded } from '../../../engine/rule/probes.js';
import { answerText, inMs, jsonText, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Facts, Judges, Trace } from '../../../engine/vocabulary.js';
import { longestLifetime } from '../../executions/intervals.js';
import { isQueued } from '../../executions/view.js';
import { leastWaitSeconds, longestWaitSeconds } from '../../operations.js';
import { areFilledElsewhere, asksOnlyAccepted, requestedOptions } from '../../starts/asked.js';
import { expectedStates } from '../../target/roles.js';
import { defaultWaitMs, gaveUp, isSync, nearly, waitMs } from '../view.js';

/** interface: Limits. A refusal after the shortest wait may mean that the wait was cut short. */
const shortestWaitMs = 1000;

export const syncWaits = {
  /**
   * Judges a call that was accepted, or never answered. Passes if it gave up within its wait, fails if it took
   * longer than that and the grace.
   */
  'sync-wait-is-bounded': {
    exchange(exchange, { pace }) {
      const wait = isSync(exchange) ? waitMs(exchange) : undefined;
      const endless = exchange.failure?.kind === 'timeout';
      if (wait === undefined || (!endless && !accepted(exchange))) return undefined;
      if (exchange.durationMs - (exchange.delayMs ?? 0) > wait + pace.latencyGraceMs)
        return violated(
          exchange,
          `an answer within ${inMs(wait)}, give or take ${pace.latencyGraceMs}`,
          `${endless ? 'none' : 'one'} after ${inMs(exchange.durationMs)}`,
        );
      return gaveUp(exchange) ? satisfied(exchange) : undefined;
    },
  },

  /**
   * Judges a call without timeoutSeconds that was answered at its end, or gave up. Passes if it waited for the
   * default; a run that ends sooner says nothing. Fails if it gave up sooner, unless the run may have stopped, and
   * gone on before the answer was written.
   */
  'sync-default-timeout': {
    trace(trace, facts) {
      const { start } = trace;
      if (!isSync(start) || start.untimed || requestFields(start).timeoutSeconds !== undefined || isProbe(start))
        return undefined;
      const waited = start.durationMs;
      if (status(start) === 200) return waited >= defaultWaitMs * nearly ? satisfied(start) : undefined;
      if (!gaveUp(start)) return undefined;
      if (waited >= defaultWaitMs - facts.pace.latencyGraceMs) return satisfied(start);
      return mayStop(trace, facts)
        ? undefined
        : violated(start, `a wait of ${inMs(defaultWaitMs)} for the end`, `202 after ${inMs(waited)}`);
    },
    run({ exchanges }, { pace }) {
      const calls = exchanges.filter((one) => isSync(one) && isMeantToPass(one));
      const isSoon = ({ durationMs }: Exchange) => durationMs < shortestWaitMs + pace.latencyGraceMs;
      const named = (one: Exchange) => requestFields(one).timeoutSeconds !== undefined;
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
          return peer ? violated([one, peer], 'a call without timeoutSeconds taken') : [];
        });
    },
  },

  /** Judges a call that is answered 202 with `queued`. Passes if its time was over, else fails. */
  'queued-call-waits': {
    exchange(exchange) {
      const isMeant = isSync(exchange) && status(exchange) === 202 && isQueued(exchange) && !isProbe(exchange);
      const wait = isMeant ? waitMs(exchange) : undefined;
      if (wait === undefined) return undefined;
      return exchange.durationMs >= wait * nearly
        ? satisfied(exchange)
        : violated(exchange, `a wait of ${inMs(wait)} for the end`, `202 queued after ${inMs(exchange.durationMs)}`);
    },
  },

  /**
   * Judges a call with timeoutSeconds that gave up. Passes if that time was over, else fails, unless the run may
   * have stopped, and gone on before the answer was written.
   */
  'sync-202-when-time-is-up': {
    trace(trace, facts) {
      const { start } = trace;
      const wait =
        isSync(start) && requestFields(start).timeoutSeconds !== undefined && gaveUp(start) ? waitMs(start) : undefined;
      if (!start || wait === undefined) return undefined;
      if (start.durationMs >= wait * nearly) return satisfied(start);
      return mayStop(trace, facts)
        ? undefined
        : violated(
            start,
            `a wait of ${inMs(wait)} for the end`,
            `${answerText(start)} after ${inMs(start.durationMs)}`,
          );
    },
  },

  /**
   * Judges a 200. Passes if it came before the wait was over; fails if it came only then, though the run had ended
   * before, even allowing for the grace. How soon it must come is not shown: a service may poll every few seconds.
   */
  'sync-returns-when-done': {
    trace(trace, { pace }) {
      const { start } = trace;
      const wait = isSync(start) && status(start) === 200 ? waitMs(start) : undefined;
      if (!start || wait === undefined || wait <= pace.latencyGraceMs) return undefined;
      const waited = start.durationMs - (start.delayMs ?? 0);
      if (waited < wait * nearly) return satisfied(start);
      const end = endReading(trace);
      const lasted = end && longestLifetime(end.execution);
      return end && lasted !== undefined && waited > lasted + pace.latencyGraceMs
        ? violated(
            [start, end.exchange],
            `an answer when the run ended, after ${inMs(lasted)}`,
            `one when the wait was over, after ${inMs(waited)}`,
          )
        : undefined;
    },
  },

  'sync-timeout-range': bounded(
    'sync-timeout-range',
    (exchange) => {
      const value = seconds(exchange);
      return typeof value === 'number' && (value < leastWaitSeconds || value > longestWaitSeconds)
        ? `timeoutSeconds ${jsonText(value)}`
        : undefined;
    },
    waits,
  ),
} satisfies Judges;

const mayStop = ({ start, readings: all }: Trace, facts: Facts): boolean =>
  (start !== undefined && expectedStates(start, facts).some(isStopped)) ||
  readings(all).some((reading) => isStopped(reading.status));

/** What a start asks for, apart from its wait and its marker. */
const wish = (exchange: Exchange): string =>
  JSON.stringify([exchange.resource, Object.entries(requestedOptions(exchange)).sort(([a], [b]) => (a < b ? -1 : 1))]);

const seconds = (exchange: Exchange) => requestFields(exchange).timeoutSeconds;

const isBetween = (value: unknown) =>
  Number.isInteger(value) && Number(value) > leastWaitSeconds && Number(value) < longestWaitSeconds;

/**
 * The bounds, and waits between them that were refused. The wait is the reason if the same start is accepted without
 * it, and other waits are accepted.
 */
function waits(ours: readonly Exchange[]): Bound[] {
  const bound = (value: number): Bound => {
    const others = ours.filter((one) => accepted(one) && seconds(one) !== value);
    return {
      value: `timeoutSeconds ${value}`,
      tries: ours.filter((one) => isSync(one) && seconds(one) === value),
      beside: (refused) =>
        others.some(isSync) && areFilledElsewhere(refused, others)
          ? others.find((one) => wish(one) === wish(refused))
          : undefined,
    };
  };
  const between = ours.flatMap((one) => (isSync(one) && isBetween(seconds(one)) ? [Number(seconds(one))] : []));
  const isRefused = (value: Bound) => acceptedFinding(value).some(({ kind }) => kind === 'violated');
  return [bound(leastWaitSeconds), bound(longestWaitSeconds), ...[...new Set(between)].map(bound).filter(isRefused)];
}
