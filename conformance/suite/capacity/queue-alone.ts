import { startedId } from '../../engine/outcome/read.js';
import type { Journey } from '../driver.js';
import { ask } from './asks.js';
import { beganLate } from './view.js';

/**
 * Lets one wait when nobody else starts any more, where what waited began late: others' starts may have been what moved the
 * queue.
 */
export const queueAlone = (after: readonly Journey[]): Journey => ({
  id: 'queue-alone',
  effect: 'execute',
  needs: ['capacity'],
  after: after.map(({ id }) => id),
  async run(driver) {
    const { capacity: group } = driver.facts;
    if (group?.size !== 1 || driver.executionsLeft < 2 || !beganLate(driver.evidence, group.profileGroup)) return;
    driver.says('lets one wait alone: what waited began late');
    const held = await driver.start(ask(driver, group, 'hold', { onCapacityLimit: 'reject' }));
    const queued = await driver.startOnce(ask(driver, group, 'queue', { onCapacityLimit: 'queue' }));
    for (const one of [held, queued]) {
      const executionId = startedId(one);
      if (executionId !== undefined) await driver.follow(executionId, 'its end');
    }
  },
});
