/** Follows an execution by polling. */

import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import type { State } from '../../engine/contract.js';
import { answerBody, status } from '../../engine/outcome/read.js';
import { readingOf } from '../../engine/outcome/readings.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import { Halt } from '../../engine/scenario/schedule.js';
import { firstPollMs, longestPauseMs, longestPollMs, nextInterval } from '../../engine/send/clock.js';
import type { FailedWait } from '../../engine/vocabulary.js';
import type { Driver, Scenario } from '../driver.js';
import type { Session } from '../session.js';
import { hasBegun, queued } from './view.js';

export interface Followed {
  readonly executionId: string;
  /** What the wait is for, in words for the report. */
  readonly wanted: string;
  /** Whether a status ends the wait. By default, any end does. */
  readonly done?: (status: State) => boolean;
  /** The longest pause between polls, in milliseconds. By default it grows with the time without a change. */
  readonly longest?: number;
  /** The factor by which pauses grow: the smaller, the more exactly the end is seen. */
  readonly growth?: number;
}

/**
 * Polls an execution until `done` accepts its status, or it ends; resolves to whether `done` did. Records a failed wait
 * if patience runs out. A 404 is retried at first, since a replica may be behind. Any other answer that is not a
 * reading (401, 5xx, no JSON) ends the wait: retrying must not hide it.
 */
export async function follow(
  driver: Driver,
  session: Session,
  { executionId, wanted, done = isTerminal, longest, growth }: Followed,
): Promise<boolean> {
  const { executions } = session;
  const { now } = session.clock;
  const from = now();
  let since = from;
  let last: string | undefined;
  /** States seen so far: returning to one of them is no progress. */
  const seenStates = new Set<string>();
  let interval = firstPollMs;
  /** An execution in the queue waits for others, so its time counts from when the last of them ended. */
  const stoodMs = () => now() - (last === queued ? Math.max(since, executions.endedAt) : since);
  /** Others wait for the end of the first run, which tells how long runs take. */
  const isMeasure = () => executions.longestMs === undefined && [...executions.started][0] === executionId;
  const next = () =>
    nextInterval(interval, longest ?? (isMeasure() ? longestPollMs : longestPauseMs(stoodMs())), growth);
  const failedWait = (reason: FailedWait['reason']) => {
    session.failedWaits.push({ executionId, wanted, waitedMs: now() - from, unchangedMs: stoodMs(), reason });
    executions.stopWaitingFor(executionId);
    return false;
  };
  try {
    for (;;) {
      // The first reading is urgent: only soon after the start can it confirm the status of its answer.
      const isFirst = last === undefined;
      const reading = await driver.send({
        step: 'read',
        operation: 'getExecution',
        id: executionId,
        ...(isFirst && { beforeOthers: true }),
      });
      const seen = status(reading) === 200 ? answerBody(reading)?.status : undefined;
      const known = readingOf(reading)?.status;
      if (status(reading) === 404 && isFirst && now() - from < replicaLagMs + longestPollMs) {
        await driver.pause(interval);
        interval = next();
        continue;
      }
      if (typeof seen !== 'string') return failedWait('unreadable');
      if (last !== undefined && seen !== last) executions.noteStateLeft(executionId, last);
      if (known && done(known)) {
        if (isStopped(known)) executions.noteExpectedStop(executionId, now());
        return true;
      }
      if (isTerminal(seen)) return false;
      if (seen !== last) {
        if (!seenStates.has(seen)) since = executions.inStateSince(executionId) ?? now();
        seenStates.add(seen);
        interval = firstPollMs;
        last = seen;
      }
      if (stoodMs() > executions.patienceMs(executionId, seen, since)) {
        const reason = executions.isPatienceSpent(executionId, seen, since) ? 'stuck' : 'patience';
        executions.notePatienceSpent(executionId, seen, now());
        return failedWait(reason);
      }
      driver.reportProgress(`waits for ${wanted}, now ${seen}`);
      const { ended } = executions;
      await driver.pause(interval);
      // An end makes room for what is queued, whose next state may be short: poll soon.
      interval = executions.ended > ended && !hasBegun(seen) ? firstPollMs : next();
    }
  } catch (error) {
    if (error instanceof Halt) failedWait('stopped');
    throw error;
  }
}

/** How long to wait for the first run to end. If runs take minutes, there is time to ask later. */
const tempoMs = 15_000;

/** Waits until it is known how long executions take, while one is running that could tell, at most for `tempoMs`. */
export async function learnDurations(
  driver: Driver,
  { executions, clock }: Session,
  since = clock.now(),
): Promise<void> {
  const isComing = () => !executions.areStuck && executions.progressing + executions.starting.size > 0;
  if (executions.longestMs !== undefined || !driver.facts.stateful) return;
  await driver.pause(firstPollMs);
  while (executions.longestMs === undefined && isComing() && clock.now() < since + tempoMs)
    await driver.pause(firstPollMs);
}

/** Reads an execution that exists already: all that a run which may only read can see of one. */
export const readExecution = {
  id: 'read-execution',
  sends: ['getExecution', 'listExecutionFiles'],
  effect: 'read',
  needs: ['execution'],
  stateless: true,
  steps: {
    'read-once': [
      'execution-is-the-one-asked-for',
      'terminal-at-only-when-terminal',
      'duration-is-in-seconds',
      'live-view-never-when-terminal',
      'deprecated-urls-agree',
      'script-failures-omitted-when-none',
    ],
    'read-again': ['identity-is-constant', 'terminal-is-final', 'terminal-record-is-fixed', 'times-are-in-order'],
    'list-once': ['files-are-grouped', 'files-belong-to-execution', 'files-are-listed-once'],
    'list-again': ['files-stay-listed'],
  },
  async run(driver): Promise<void> {
    const id = driver.id(driver.facts.execution);
    await driver.send({ step: 'read-once', operation: 'getExecution', id });
    await driver.send({ step: 'list-once', operation: 'listExecutionFiles', id });
    await driver.send({ step: 'read-again', operation: 'getExecution', id });
    await driver.send({ step: 'list-again', operation: 'listExecutionFiles', id });
  },
} as const satisfies Scenario;
