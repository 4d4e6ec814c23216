/** How an execution is followed. */
import { isTerminal } from '../../../generated/lifecycle.js';
import { answer, status } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import { firstPollMs, longer, longestAway, longestPollMs } from '../../engine/send/clock.js';
import { Halt } from '../../engine/send/halt.js';
import type { DriverPort } from '../../engine/send/request-spec.js';
import type { FailedWait } from '../../engine/vocabulary.js';
import type { Session } from '../session.js';
import { hasBegun, isStop } from './view.js';

export interface Followed {
  readonly executionId: string;
  /** What is waited for, in words. */
  readonly wanted: string;
  /** Whether a status is it. Default: any end. */
  readonly done?: (status: string) => boolean;
  /** How long it may look away, in milliseconds. By default the longer, the longer nothing has changed. */
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
  driver: DriverPort,
  session: Session,
  { executionId, wanted, done = isTerminal, longest, growth }: Followed,
): Promise<boolean> {
  const { executions } = session;
  const { now } = session.clock;
  const from = now();
  let since = from;
  let last: string | undefined;
  /** Who goes to and fro between states that it was in goes nowhere. */
  const known = new Set<string>();
  let interval = firstPollMs;
  /** What waits for others stands still only since the last of them ended. */
  const stoodMs = () => now() - (last === 'queued' ? Math.max(since, executions.endedAt) : since);
  const next = () => longer(interval, longest ?? longestAway(stoodMs()), growth);
  const failedWait = (reason: FailedWait['reason']) => {
    session.failedWaits.push({ executionId, wanted, waitedMs: now() - from, stoodMs: stoodMs(), reason });
    executions.stands(executionId);
    return false;
  };
  try {
    for (;;) {
      // The first one tells whether the start's own answer was right, and soon no more.
      const isFirst = last === undefined;
      const reading = await driver.send({
        step: 'read',
        operation: 'getExecution',
        id: executionId,
        ...(isFirst && { first: true }),
      });
      const seen = status(reading) === 200 ? answer(reading)?.status : undefined;
      if (status(reading) === 404 && isFirst && now() - from < behindMs + longestPollMs) {
        await driver.pause(interval);
        interval = next();
        continue;
      }
      if (typeof seen !== 'string') return failedWait('unreadable');
      if (last !== undefined && seen !== last) executions.leaves(executionId, last);
      if (done(seen)) {
        if (isStop(seen)) executions.stops(executionId, now());
        return true;
      }
      if (isTerminal(seen)) return false;
      if (seen !== last) {
        if (!known.has(seen)) since = now();
        known.add(seen);
        interval = firstPollMs;
        last = seen;
      }
      if (stoodMs() > executions.patienceMs(executionId, seen, since)) {
        const reason = executions.isSpent(executionId, seen, since) ? 'stuck' : 'patience';
        executions.stays(executionId, seen, now());
        return failedWait(reason);
      }
      driver.says(`waits for ${wanted}, now ${seen}`);
      const { ended } = executions;
      await driver.pause(interval);
      // What ends makes room for what waits, whose next state may be short.
      interval = executions.ended > ended && !hasBegun(seen) ? firstPollMs : next();
    }
  } catch (error) {
    if (error instanceof Halt) failedWait('stopped');
    throw error;
  }
}
