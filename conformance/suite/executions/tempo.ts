import { firstPollMs } from '../../engine/send/clock.js';
import type { DriverPort } from '../../engine/send/request-spec.js';
import type { Session } from '../session.js';

/** So long it is waited for the first run to end, which tells how long runs take. Those of minutes leave time to ask later. */
const tempoMs = 15_000;

/** Waits until it is known how long runs take: no longer than anything is under way that could tell, and for a while at most. */
export async function learnTempo(
  driver: DriverPort,
  { executions, clock }: Session,
  since = clock.now(),
): Promise<void> {
  const isComing = () => executions.going + executions.starting.size > 0;
  if (executions.longestMs !== undefined || !driver.facts.stateful) return;
  await driver.pause(firstPollMs);
  while (executions.longestMs === undefined && isComing() && clock.now() < since + tempoMs)
    await driver.pause(firstPollMs);
}
