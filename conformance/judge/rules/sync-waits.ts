/** interface: Limits, timeoutSeconds; POST execute/sync, how long a call waits. */
import type { RuleId } from '../../../generated/rules.js';
import { acceptedExecutionId, sent, status } from '../../evidence/read.js';
import { ending, lifetime } from '../../evidence/runs.js';
import { defaultWaitMs, gaveUp, isSync, waitMs } from '../../evidence/sync.js';
import type { Judge } from '../../vocabulary.js';
import { broken, kept } from '../findings.js';
import { inMs } from '../words.js';

/** Whoever is answered sooner was not answered because the wait was over; timers may be a little early. */
const nearly = 0.95;
/** Waits of less are not told from each other. */
const shortestMs = 1000;

export const syncWaits = {
  'sync-wait-is-bounded': {
    exchange(exchange, { pace }) {
      const wait = isSync(exchange) ? waitMs(exchange) : undefined;
      const endless = exchange.failure?.kind === 'timeout';
      if (wait === undefined || (!endless && acceptedExecutionId(exchange) === undefined)) return undefined;
      if (exchange.durationMs > wait + pace.latencyGraceMs)
        return broken(
          exchange,
          `an answer within ${inMs(wait)}, give or take ${pace.latencyGraceMs}`,
          `${endless ? 'none' : 'one'} after ${inMs(exchange.durationMs)}`,
        );
      return gaveUp(exchange) ? kept(exchange) : undefined;
    },
  },

  'sync-default-timeout': {
    exchange(exchange, { pace }) {
      if (!isSync(exchange) || sent(exchange)?.timeoutSeconds !== undefined || exchange.mark?.probe) return undefined;
      const waited = exchange.durationMs;
      if (status(exchange) === 200) return waited > shortestMs ? kept(exchange) : undefined;
      if (!gaveUp(exchange)) return undefined;
      return waited < defaultWaitMs - pace.latencyGraceMs
        ? broken(exchange, `a wait of ${inMs(defaultWaitMs)} for the end`, `202 after ${inMs(waited)}`)
        : kept(exchange);
    },
  },

  'sync-returns-when-done': {
    trace(trace, { pace }) {
      const { start } = trace;
      const wait = isSync(start) && status(start) === 200 ? waitMs(start) : undefined;
      if (!start || wait === undefined || wait <= pace.latencyGraceMs) return undefined;
      const waited = start.durationMs;
      if (waited < wait * nearly) return kept(start);
      const end = ending(trace);
      const lasted = end && lifetime(end.execution);
      return end && lasted !== undefined && waited > lasted + pace.latencyGraceMs
        ? broken(
            [start, end.exchange],
            `an answer when the run ended, after ${inMs(lasted)}`,
            `one after ${inMs(waited)}, when the wait was over`,
          )
        : undefined;
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
