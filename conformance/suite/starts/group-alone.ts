/** Checks whether a start that asks to queue begins at once while its group has a profile to spare. */

import { asked } from '../../engine/outcome/asked.js';
import { accepted } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { Driver, Journey } from '../driver.js';
import { ifFull, isQueued } from '../executions/view.js';
import { marked } from './requests.js';

/** Once may be chance: others may use the group. */
const rounds = ['once', 'again'];
const perRound = 2;

/**
 * If a start for the group was queued, asks again while nothing else of the run goes on: before, the run itself may have
 * filled the organization. If that is queued too, a start that would not wait shows whether there was room.
 */
export const groupAlone = (after: readonly Journey[]) =>
  ({
    id: 'group-alone',
    effect: 'execute',
    needs: ['profileGroup', 'workflows.completes'],
    after: after.map(({ id }) => id),
    steps: {
      '*': ['execute-initial-status'],
    },
    async run(driver) {
      const { profileGroup: group } = driver.facts;
      if (!driver.sent.some((one) => isQueued(one) && sameId(asked(one).profileGroupId, group))) return;
      for (const round of rounds)
        if (driver.budget.executionsLeft < perRound || !(await isQueuedThoughFree(driver, group, round))) return;
    },
  }) as const satisfies Journey;

async function isQueuedThoughFree(driver: Driver, group: string | undefined, round: string): Promise<boolean> {
  const start = (step: string, then: 'queue' | 'reject') =>
    driver.startOnce({
      step,
      operation: 'execute',
      id: driver.id(driver.facts.workflows.completes),
      body: { profileGroupId: group, ...ifFull(then), ...marked(driver, step) },
      mayBeAtCapacity: true,
      unjudged: then === 'reject',
    });
  const queued = await start(`queue-${round}`, 'queue');
  const rival = isQueued(queued) ? await start(`at-once-${round}`, 'reject') : undefined;
  for (const one of [queued, rival]) if (one) await driver.followStarted(one);
  return rival !== undefined && accepted(rival);
}
