/** How an execution is followed. */
import { isTerminal } from '../../../generated/lifecycle.js';
import { answer, status } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import type { DriverPort } from '../../engine/send/driver-port.js';
import { Halt } from '../../engine/send/halt.js';
import { firstPollMs, longer, longestPollMs } from '../../engine/send/polling.js';
import type { FailedWait } from '../../engine/vocabulary.js';
import type { Session } from '../session.js';
import { hasBegun } from './view.js';

export interface Followed {
  readonly executionId: string;
  /** What is waited for, in words. */
  readonly wanted: string;
  /** Whether a status is it. Default: any end. */
  readonly done?: (status: string) => boolean;
  /** How many times the patience, with an execution that has to wait for others to end. */
  readonly turns?: number;
  /** How long it may look away, in milliseconds. */
  readonly longest?: number;
  /** How many times as long as before it looks away each time: the less, the closer the end is seen. */
  readonly growth?: number;
}

/**
 * Polls an execution until what is wanted shows, or its end, and records a failed wait where that does not come. A replica
 * may not know it at once. Any other answer that is no reading (401, 5xx, no JSON) ends the wait: it is not retried into a
 * pass.
 */
export async function follow(
  speaker: DriverPort,
  session: Session,
  { executionId, wanted, done = isTerminal, turns = 1, longest = longestPollMs, growth }: Followed,
): Promise<boolean> {
  const { executions } = session;
  const { now } = session.clock;
  const from = now();
  let since = from;
  let last: string | undefined;
  /** Who goes to and fro between states that it was in goes nowhere. */
  const known = new Set<string>();
  let interval = firstPollMs;
  const failedWait = (reason: FailedWait['reason']) => {
    session.failedWaits.push({ executionId, wanted, waitedMs: now() - from, reason });
    return false;
  };
  try {
    for (;;) {
      // The first one tells whether the start's own answer was right, and soon no more.
      const isFirst = last === undefined;
      const reading = await speaker.send({
        step: 'read',
        operation: 'getExecution',
        id: executionId,
        ...(isFirst && { first: true }),
      });
      const seen = status(reading) === 200 ? answer(reading)?.status : undefined;
      if (status(reading) === 404 && isFirst && now() - from < behindMs + longestPollMs) {
        await speaker.pause(interval);
        interval = longer(interval, longest, growth);
        continue;
      }
      if (typeof seen !== 'string') return failedWait('unreadable');
      if (last !== undefined && seen !== last) executions.leaves(last);
      if (done(seen)) return true;
      if (isTerminal(seen)) return false;
      if (executions.stuck.has(seen)) return failedWait('stuck');
      if (seen !== last) {
        if (!known.has(seen)) since = now();
        known.add(seen);
        interval = firstPollMs;
        last = seen;
      }
      if (now() - since > speaker.patienceMs * turns) {
        executions.stays(seen);
        return failedWait('patience');
      }
      speaker.says(`waits for ${wanted}, now ${seen}`);
      const { ended } = executions;
      await speaker.pause(interval);
      // What ends makes room for what waits, whose next state may be short.
      interval = executions.ended > ended && !hasBegun(seen) ? firstPollMs : longer(interval, longest, growth);
    }
  } catch (error) {
    if (error instanceof Halt) failedWait('stopped');
    throw error;
  }
}
