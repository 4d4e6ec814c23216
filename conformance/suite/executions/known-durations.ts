/** Finds out how long executions take. */

import { firstPollMs } from '../../engine/send/clock.js';
import type { Driver } from '../driver.js';
import type { Session } from '../session.js';

/** How long to wait for the first run to end. If runs take minutes, there is time to ask later. */
const tempoMs = 15_000;

/** Waits until it is known how long executions take, while one is running that could tell, at most for `tempoMs`. */
export async function learnDurations(
  driver: Driver,
  { executions, clock }: Session,
  since = clock.now(),
): Promise<void> {
  const isComing = () => executions.progressing + executions.starting.size > 0;
  if (executions.longestMs !== undefined || !driver.facts.stateful) return;
  await driver.pause(firstPollMs);
  while (executions.longestMs === undefined && isComing() && clock.now() < since + tempoMs)
    await driver.pause(firstPollMs);
}
