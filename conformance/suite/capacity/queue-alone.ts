import { startedId } from '../../engine/outcome/read.js';
import { readingOf } from '../../engine/outcome/readings.js';
import { allOrThrow, type Driver, type Journey } from '../driver.js';
import { hasBegun } from '../executions/view.js';
import { ask, type Group } from './asks.js';
import { beganLate } from './began-late.js';

/** For so long nobody asks for what waits, nor for anything else. */
const unaskedMs = 61_000;
/** Once may be chance. */
const rounds = ['unasked', 'unasked-again'];
const perRound = 3;

/**
 * Lets one wait when nobody else starts any more, where what waited began late: others' starts, or who asked for it, may have
 * been what moved the queue. That there is room for it then, another start tells.
 */
export const queueAlone = (after: readonly Journey[]): Journey => ({
  id: 'queue-alone',
  effect: 'execute',
  needs: ['capacity'],
  after: after.map(({ id }) => id),
  async run(driver) {
    const { capacity: group } = driver.facts;
    if (group?.size !== 1 || !beganLate(driver.evidence, group.profileGroup)) return;
    driver.says('lets one wait alone: what waited began late');
    for (const round of rounds)
      if (driver.budget.executionsLeft < perRound || (await beginsUnasked(driver, group, round))) return;
  },
});

/** Whether what waits has begun a while after room was made for it, though nobody asked for it; also where it cannot be told. */
async function beginsUnasked(driver: Driver, group: Group, round: string): Promise<boolean> {
  const held = await driver.start(ask(driver, group, `hold-${round}`, { onCapacityLimit: 'reject' }));
  const holding = startedId(held);
  if (holding === undefined) return true;
  const queued = await driver.startOnce(ask(driver, group, `queue-${round}`, { onCapacityLimit: 'queue' }));
  const waiting = startedId(queued);
  const isFree = await driver.follow(holding, 'its end');
  if (waiting === undefined || !isFree) return true;
  await driver.pause(unaskedMs);
  const elsewhere = ask(driver, group, `elsewhere-${round}`, { profileGroupId: undefined });
  const room = startedId(await driver.startOnce({ ...elsewhere, mayBeOverLimit: true }));
  const reading = readingOf(await driver.send({ step: 'read', operation: 'getExecution', id: waiting }));
  await allOrThrow([waiting, room].map((id) => id !== undefined && driver.follow(id, 'its end')));
  return room === undefined || (reading !== undefined && hasBegun(reading.status));
}
