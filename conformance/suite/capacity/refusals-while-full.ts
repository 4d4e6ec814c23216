/** Finds out whether starts that are refused for key or body take a place in their group nevertheless. */
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
  more: Pick<StartSpec, 'credential'> & { body?: Fields },
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
};

/**
 * Asks for each place of the group with each fault of a kind. A call without a quick refusal may be waiting for its run:
 * the function goes on, and resolves to a wait for the end of all calls.
 */
async function askWrongly(driver: Driver, group: Group, kind: RefusalReason): Promise<() => Promise<unknown>> {
  const calls: Promise<void>[] = [];
  for (const operation of startOperations)
    for (const [rule, name, fault, { body, ...more }] of wrongs[kind](driver, operation))
      for (let n = 1; n <= Math.min(group.size, most); n += 1) {
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

const atOnce = (driver: Driver, group: Group, step: string): Promise<Exchange> =>
  driver.startOnce({ ...groupStart(driver, group, step, ifFull('reject')), mayBeOverLimit: true, unjudged: true });

/** Starts a run as soon as there is room, and waits for its end. */
const makeRoom = async (driver: Driver, group: Group, step: string): Promise<void> =>
  follow(driver, await driver.start(groupStart(driver, group, step, ifFull('reject'))));

/**
 * Tells who takes the places of the group: starts that were refused, or somebody else. Sends those with each kind of
 * fault after a start that was accepted, until the next one is accepted too, or was refused often enough.
 */
export async function findWhoTakesPlaces(driver: Driver, group: Group): Promise<void> {
  for (const kind of ['keys', 'bodies'] as const)
    for (let round = 1; round <= enoughRounds; round += 1) {
      await makeRoom(driver, group, `room-${kind}-${round}`);
      await driver.pause(replicaLagMs);
      const beside = await atOnce(driver, group, `${stepBeside(kind)}${round}`);
      await follow(driver, beside);
      // Others are in the way.
      if (!accepted(beside)) break;
      await driver.pause(replicaLagMs);
      const isOver = await askWrongly(driver, group, kind);
      const after = await atOnce(driver, group, `${stepAfter(kind)}${round}`);
      await allOrThrow([follow(driver, after), isOver()]);
      if (!refused(after)) break;
    }
}

const follow = (driver: Driver, start: Exchange): Promise<void> => followAll(driver, [startedId(start)]);
