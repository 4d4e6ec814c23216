/** Whether a start that is refused, for its key, for its body or for want of room, takes a place of its group all the same. */
import type { RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, refused, startedId } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver } from '../driver.js';
import { deniedFor, keyFaults } from '../keys/faults.js';
import { both } from '../starts/requests.js';
import type { StartSpec } from '../starts/starting.js';
import { ask, followAll, type Group, holds, quietMs } from './asks.js';
import { type Kind, stepAfter, stepBeside } from './places-taken.js';

/** Of a larger group a part tells. */
const most = 5;
/** Once may be by chance: somebody else uses the group. */
const rounds = 2;

/** Starts that have to be refused. */
type Wrong = readonly [
  rule: RuleId,
  name: string,
  fault: string,
  more: Pick<StartSpec, 'credential' | 'mayBeOverLimit'> & { body?: Fields },
];

const wrongKeys = (driver: Driver, operation: StartSpec['operation']): Wrong[] =>
  keyFaults
    .filter(([, credential]) => deniedFor(driver, credential, operation))
    .map(([rule, credential, fault]) => [rule, credential, fault, { credential }]);

const wrongBodies = ({ facts: { publishedVersion: version = 1 } }: Driver): Wrong[] => [
  ['head-excludes-version', 'head-with-version', 'head together with version', { body: { head: true, version } }],
  [
    'soft-timeout-minimum',
    'soft-timeout-0',
    'softTimeoutMins 0',
    { body: { executionOptions: { softTimeoutMins: 0 } } },
  ],
];

const wrongs: Record<Kind, (driver: Driver, operation: StartSpec['operation']) => Wrong[]> = {
  keys: wrongKeys,
  bodies: wrongBodies,
  room: () => [
    ['over-capacity-is-rejected', 'over-again', 'every profile of the group in use', { mayBeOverLimit: true }],
  ],
};

/**
 * Asks for each place of the group with each fault of a kind, and so often. A call that is not refused at once may be waiting
 * for its run. It is not waited for: this resolves to a wait for its end.
 */
async function askWrongly(driver: Driver, group: Group, kind: Kind, times = 1): Promise<() => Promise<unknown>> {
  const calls: Promise<void>[] = [];
  for (const operation of both)
    for (const [rule, name, fault, { body, ...more }] of wrongs[kind](driver, operation))
      for (let n = 1; n <= Math.min(group.size, most) * times; n += 1) {
        const wait = operation === 'executeSync' ? { timeoutSeconds: 1 } : {};
        const asked = ask(driver, group, `${name}-${operation}`, { onCapacityLimit: 'reject', ...wait, ...body });
        const probe = driver.probe(rule, fault, holds(group), { ...asked, operation, ...more });
        const call = driver.beside(
          probe.then((exchange) => {
            // It may have been met when a place was free again.
            if (kind === 'room' && accepted(exchange)) driver.exclude(exchange);
            return accepted(exchange) ? follow(driver, exchange) : undefined;
          }),
        );
        calls.push(call);
        await Promise.race([call, driver.pause(quietMs)]);
      }
  return () => allOrThrow(calls);
}

/** Asks for the group in each way that has to be refused. */
export async function askInVain(driver: Driver, group: Group): Promise<() => Promise<unknown>> {
  const ends = [await askWrongly(driver, group, 'keys'), await askWrongly(driver, group, 'bodies')];
  return () => allOrThrow(ends.map((isOver) => isOver()));
}

/** Tells apart who takes the places of the group: starts that are refused for something, or somebody else. */
export async function tellWhoTakesPlaces(driver: Driver, group: Group): Promise<void> {
  for (const kind of ['keys', 'bodies'] as const) await tell(driver, group, kind);
  await tellWhoWaits(driver, group);
}

const atOnce = (driver: Driver, group: Group, step: string): Promise<Exchange> =>
  driver.startOnce({
    ...ask(driver, group, step, { onCapacityLimit: 'reject' }),
    mayBeOverLimit: true,
    unjudged: true,
  });

/** A start that is taken as soon as there is room, and its run. */
const makeRoom = async (driver: Driver, group: Group, step: string): Promise<void> =>
  follow(driver, await driver.start(ask(driver, group, step, { onCapacityLimit: 'reject' })));

async function tell(driver: Driver, group: Group, kind: 'keys' | 'bodies'): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    await makeRoom(driver, group, `room-${kind}-${round}`);
    await driver.pause(behindMs);
    const beside = await atOnce(driver, group, `${stepBeside(kind)}${round}`);
    await follow(driver, beside);
    if (!accepted(beside)) return;
    await driver.pause(behindMs);
    const isOver = await askWrongly(driver, group, kind);
    const after = await atOnce(driver, group, `${stepAfter(kind)}${round}`);
    await allOrThrow([follow(driver, after), isOver()]);
    if (!refused(after)) return;
  }
}

/** However short a run, no more starts than that are sent for a place. */
const mostTimes = 8;

/**
 * Whether starts that were refused for want of room wait for it all the same. They have their turns one after the other: so
 * many are sent that these last for longer than what has ended may take to be free.
 */
export async function tellWhoWaits(driver: Driver, group: Group): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const from = driver.clock.now();
    await makeRoom(driver, group, `room-room-${round}`);
    const lastedMs = Math.max(1, driver.clock.now() - from);
    const times = Math.min(mostTimes, Math.ceil(behindMs / lastedMs));
    await driver.pause(behindMs);
    const holding = [await atOnce(driver, group, `${stepBeside('room')}${round}`)];
    while (holding.length < group.size && holding.every(accepted))
      holding.push(await atOnce(driver, group, `fill-${holding.length}-${round}`));
    const isOver = holding.every(accepted) ? await askWrongly(driver, group, 'room', times) : undefined;
    await allOrThrow(holding.map((one) => follow(driver, one)));
    if (!isOver) return;
    await driver.pause(behindMs);
    const after = await atOnce(driver, group, `${stepAfter('room')}${round}`);
    await allOrThrow([follow(driver, after), isOver()]);
    if (!refused(after)) return;
    // Until all that may wait have had their turn: whoever asked meanwhile would be one more.
    await driver.pause(lastedMs * (both.length * times + 1));
  }
}

const follow = (driver: Driver, start: Exchange): Promise<void> => followAll(driver, [startedId(start)]);
