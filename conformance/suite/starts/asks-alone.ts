/** Checks whether a start that asks to queue begins at once while what it asks for is free. */

import { accepted, startedId } from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver, Journey } from '../driver.js';
import { isQueued } from '../executions/view.js';
import { askedFor } from './asked.js';
import { marked } from './requests.js';

/** Once may be chance: others may use the group or the profile. */
const rounds = ['once', 'again'];
const perRound = 2;

type Wanted = { readonly profileGroupId?: string | undefined } | { readonly profileId?: string | undefined };

/**
 * If a start for the group or the profile was queued, asks again while nothing else of the run goes on: before, the run
 * itself may have filled the organization. If that is queued too, a start that would not wait shows whether there was room.
 */
export const asksAlone = (after: readonly Journey[]) =>
  ({
    id: 'asks-alone',
    effect: 'execute',
    needs: ['profileGroup|profile', 'workflows.completes'],
    after: after.map(({ id }) => id),
    steps: {
      '*': ['execute-initial-status'],
    },
    async run(driver) {
      const { profileGroup, profile } = driver.facts;
      for (const wanted of [{ profileGroupId: profileGroup }, { profileId: profile }])
        if (driver.sent.some((one) => isQueued(one) && isFor(one, wanted))) await askTwice(driver, wanted);
    },
  }) as const satisfies Journey;

const isFor = (start: Exchange, wanted: Wanted): boolean => sameId(askedFor(start), Object.values(wanted)[0]);

async function askTwice(driver: Driver, wanted: Wanted): Promise<void> {
  for (const round of rounds)
    if (driver.budget.executionsLeft < perRound || !(await isQueuedThoughFree(driver, wanted, round))) return;
}

async function isQueuedThoughFree(driver: Driver, wanted: Wanted, round: string): Promise<boolean> {
  const of = `${Object.keys(wanted)[0]}-${round}`;
  const start = (step: string, onCapacityLimit: string) =>
    driver.startOnce({
      step,
      operation: 'execute',
      id: driver.id(driver.facts.workflows.completes),
      body: { ...wanted, onCapacityLimit, ...marked(driver, step) },
      mayBeAtCapacity: true,
      unjudged: onCapacityLimit === 'reject',
    });
  const queued = await start(`queue-${of}`, 'queue');
  const rival = isQueued(queued) ? await start(`at-once-${of}`, 'reject') : undefined;
  for (const one of [queued, rival]) {
    const executionId = one && startedId(one);
    if (executionId !== undefined) await driver.follow(executionId, 'completed');
  }
  return rival !== undefined && accepted(rival);
}
