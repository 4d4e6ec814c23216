/** Whether a start that is refused for its key takes a place of its group all the same. */
import { accepted, acceptedExecutionId, refused } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { type Driver, together } from '../driver.js';
import { behindMs } from '../executions/view.js';
import { deniedFor, keyFaults } from '../keys/faults.js';
import { both } from '../starts/requests.js';
import { ask, type Group, holds, quietMs } from './asks.js';

/** Begins the steps of starts right after those that were refused for their keys, and of starts with none before. */
export const afterKeys = 'after-keys-';
export const besideKeys = 'beside-keys-';

/** Of a larger group a part tells. */
const most = 5;
/** Once may be by chance: somebody else uses the group. */
const rounds = 2;

/**
 * Asks for each place of the group with each key that is not right. A call that is not refused at once may be waiting for its
 * run, and is not waited for; resolves to a wait for its end.
 */
export async function askWithWrongKeys(driver: Driver, group: Group): Promise<() => Promise<void>> {
  const calls: Promise<void>[] = [];
  for (const operation of both)
    for (const [rule, credential, fault] of keyFaults)
      for (let place = 1; place <= Math.min(group.size, most); place += 1) {
        if (!deniedFor(driver, credential, operation)) continue;
        const wait = operation === 'executeSync' ? { timeoutSeconds: 1 } : {};
        const asked = ask(driver, group, `${credential}-${operation}`, { onCapacityLimit: 'reject', ...wait });
        const call = driver
          .probe(rule, fault, holds(group), { ...asked, operation, credential })
          .then((exchange) => (accepted(exchange) ? follow(driver, exchange) : undefined));
        call.catch(() => undefined);
        calls.push(call);
        await Promise.race([call, driver.pause(quietMs)]);
      }
  return () => together(calls);
}

/** Tells apart who takes the places of the group: starts that are refused for their keys, or somebody else. */
export async function tellWhoTakesPlaces(driver: Driver, group: Group): Promise<void> {
  const asked = (step: string) => ask(driver, group, step, { onCapacityLimit: 'reject' });
  for (let round = 1; round <= rounds; round += 1) {
    await follow(driver, await driver.start(asked(`room-${round}`)));
    await driver.pause(behindMs);
    const beside = await driver.startOnce({ ...asked(`${besideKeys}${round}`), mayBeOverLimit: true, odd: true });
    await follow(driver, beside);
    if (!accepted(beside)) return;
    await driver.pause(behindMs);
    const isOver = await askWithWrongKeys(driver, group);
    const after = await driver.startOnce({ ...asked(`${afterKeys}${round}`), mayBeOverLimit: true, odd: true });
    await Promise.all([follow(driver, after), isOver()]);
    if (!refused(after)) return;
  }
}

async function follow(driver: Driver, start: Exchange): Promise<void> {
  const id = acceptedExecutionId(start);
  if (id !== undefined) await driver.follow(id, 'its end');
}
