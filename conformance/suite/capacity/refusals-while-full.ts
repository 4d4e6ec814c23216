/** Finds out whether starts that are refused for key, body or want of room take a place in their group nevertheless. */
import type { RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, refused, startedId } from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver } from '../driver.js';
import { ifFull } from '../executions/view.js';
import { deniedFor, keyFaults } from '../keys/headers.js';
import { leastSoftTimeoutMins } from '../operations.js';
import { briefly, startOperations } from '../starts/requests.js';
import type { StartSpec } from '../starts/starting.js';
import { followAll, groupStart, lastHoldSteps, noPollingMs } from './group-starts.js';
import { enoughRounds, type Group, type RefusalReason, stepAfter, stepBeside } from './view.js';

/** Of a larger group, so many places are enough. */
const most = 5;

/** A kind of start that has to be refused. */
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
    `softTimeoutMins ${leastSoftTimeoutMins - 1}`,
    { body: { executionOptions: { softTimeoutMins: leastSoftTimeoutMins - 1 } } },
  ],
];

const wrongs: Record<RefusalReason, (driver: Driver, operation: StartSpec['operation']) => Wrong[]> = {
  keys: wrongKeys,
  bodies: wrongBodies,
  room: () => [
    ['over-capacity-is-rejected', 'over-again', 'every profile of the group in use', { mayBeOverLimit: true }],
  ],
};

/**
 * Asks for each place of the group `times` times, with each fault of a kind. A call without a quick refusal may be
 * waiting for its run: the function goes on, and resolves to a wait for the end of all calls.
 */
async function askWrongly(
  driver: Driver,
  group: Group,
  kind: RefusalReason,
  times = 1,
): Promise<() => Promise<unknown>> {
  const calls: Promise<void>[] = [];
  for (const operation of startOperations)
    for (const [rule, name, fault, { body, ...more }] of wrongs[kind](driver, operation))
      for (let n = 1; n <= Math.min(group.size, most) * times; n += 1) {
        const asked = groupStart(driver, group, `${name}-${operation}`, {
          ...ifFull('reject'),
          ...briefly(operation),
          ...body,
        });
        const probe = driver.probe(rule, fault, lastHoldSteps(group), { ...asked, operation, ...more });
        const call = driver.runInParallel(
          probe.then((exchange) => (accepted(exchange) ? follow(driver, exchange) : undefined)),
        );
        calls.push(call);
        await Promise.race([call, driver.pause(noPollingMs)]);
      }
  return () => allOrThrow(calls);
}

/** Asks for the group in each way that has to be refused, except for want of room. */
export async function sendRefusedStarts(driver: Driver, group: Group): Promise<() => Promise<unknown>> {
  const ends = [await askWrongly(driver, group, 'keys'), await askWrongly(driver, group, 'bodies')];
  return () => allOrThrow(ends.map((isOver) => isOver()));
}

/** Tells who takes the places of the group: refused starts, or somebody else. */
export async function findWhoTakesPlaces(driver: Driver, group: Group): Promise<void> {
  for (const kind of ['keys', 'bodies'] as const) await tell(driver, group, kind);
  await findWhoIsQueued(driver, group);
}

const atOnce = (driver: Driver, group: Group, step: string, more: Fields = {}): Promise<Exchange> =>
  driver.startOnce({
    ...groupStart(driver, group, step, { ...ifFull('reject'), ...more }),
    mayBeOverLimit: true,
    unjudged: true,
  });

/** Starts a run as soon as there is room, and waits for its end. */
const makeRoom = async (driver: Driver, group: Group, step: string): Promise<void> =>
  follow(driver, await driver.start(groupStart(driver, group, step, ifFull('reject'))));

/** Repeats a round of refused starts until a start for the group is accepted after them, or was refused often enough. */
async function repeat(
  driver: Driver,
  group: Group,
  kind: RefusalReason,
  /** Sends the refused starts, and gives a wait for the end of their calls; undefined where others are in the way. */
  round: (number: number) => Promise<(() => Promise<unknown>) | undefined>,
): Promise<void> {
  for (let number = 1; number <= enoughRounds; number += 1) {
    const isOver = await round(number);
    if (!isOver) return;
    const after = await atOnce(driver, group, `${stepAfter(kind)}${number}`);
    await allOrThrow([follow(driver, after), isOver()]);
    if (!refused(after)) return;
  }
}

const tell = (driver: Driver, group: Group, kind: 'keys' | 'bodies'): Promise<void> =>
  repeat(driver, group, kind, async (round) => {
    await makeRoom(driver, group, `room-${kind}-${round}`);
    await driver.pause(replicaLagMs);
    const beside = await atOnce(driver, group, `${stepBeside(kind)}${round}`);
    await follow(driver, beside);
    if (!accepted(beside)) return undefined;
    await driver.pause(replicaLagMs);
    return askWrongly(driver, group, kind);
  });

/** At most so many refused starts are sent for each place, however short a run is. */
const mostTimes = 8;

/**
 * Tells whether starts that were refused for want of room are queued nevertheless. They would run one after the other:
 * so many are sent that they would occupy the group beyond the time that a free place may take to show.
 */
export async function findWhoIsQueued(driver: Driver, group: Group): Promise<void> {
  let allRunMs = 0;
  await repeat(driver, group, 'room', async (round) => {
    // Wait until all that may be queued have run, so that they do not add to those of the next round.
    await driver.pause(allRunMs);
    const from = driver.clock.now();
    await makeRoom(driver, group, `room-room-${round}`);
    const lastedMs = Math.max(1, driver.clock.now() - from);
    const times = Math.min(mostTimes, Math.ceil(replicaLagMs / lastedMs));
    allRunMs = lastedMs * (startOperations.length * times + 1);
    await driver.pause(replicaLagMs);
    const holding = [await atOnce(driver, group, `${stepBeside('room')}${round}`)];
    while (holding.length < group.size && holding.every(accepted))
      holding.push(await atOnce(driver, group, `fill-${holding.length}-${round}`));
    const isOver = holding.every(accepted) ? await askWrongly(driver, group, 'room', times) : undefined;
    await allOrThrow(holding.map((one) => follow(driver, one)));
    if (isOver) await driver.pause(replicaLagMs);
    return isOver;
  });
}

const follow = (driver: Driver, start: Exchange): Promise<void> => followAll(driver, [startedId(start)]);
