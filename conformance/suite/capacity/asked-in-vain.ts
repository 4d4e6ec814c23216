/** Whether a start that is refused, for its key, for its body or for want of room, takes a place of its group all the same. */
import type { RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, refused, startedId } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver } from '../driver.js';
import { deniedFor, keyFaults } from '../keys/faults.js';
import { both } from '../starts/requests.js';
import type { StartSpec } from '../starts/starting.js';
import { ask, type Group, holds, quietMs } from './asks.js';
import { type Kind, kinds, stepAfter, stepBeside } from './places-taken.js';

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
 * Asks for each place of the group with each fault of a kind. A call that is not refused at once may be waiting for its run,
 * and is not waited for; resolves to a wait for its end.
 */
async function askWrongly(driver: Driver, group: Group, kind: Kind): Promise<() => Promise<unknown>> {
  const calls: Promise<void>[] = [];
  for (const operation of both)
    for (const [rule, name, fault, { body, ...more }] of wrongs[kind](driver, operation))
      for (let place = 1; place <= Math.min(group.size, most); place += 1) {
        const wait = operation === 'executeSync' ? { timeoutSeconds: 1 } : {};
        const asked = ask(driver, group, `${name}-${operation}`, { onCapacityLimit: 'reject', ...wait, ...body });
        const probe = driver.probe(rule, fault, holds(group), { ...asked, operation, ...more });
        const call = driver.beside(
          probe.then((exchange) => (accepted(exchange) ? follow(driver, exchange) : undefined)),
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
  for (const kind of Object.keys(kinds) as Kind[]) await tell(driver, group, kind);
}

/** Whether starts that are refused for something take places: twice, or until they are seen not to. */
export async function tell(driver: Driver, group: Group, kind: Kind): Promise<void> {
  const asked = (step: string) => ask(driver, group, step, { onCapacityLimit: 'reject' });
  const once = (step: string) => driver.startOnce({ ...asked(step), mayBeOverLimit: true, unjudged: true });
  // What waits has its turn when a place comes free, and is over a run later.
  const pauseMs = kind === 'room' ? quietMs : behindMs;
  for (let round = 1; round <= rounds; round += 1) {
    await follow(driver, await driver.start(asked(`room-${kind}-${round}`)));
    await driver.pause(pauseMs);
    const holding = [await once(`${stepBeside(kind)}${round}`)];
    // Whoever is to find no room asks while all of it is taken, the others where there is some.
    while (kind === 'room' && holding.length < group.size && holding.every(accepted))
      holding.push(await once(`fill-${holding.length}-${round}`));
    const isFull = kind === 'room' && holding.every(accepted);
    let isOver = isFull ? await askWrongly(driver, group, kind) : undefined;
    await allOrThrow(holding.map((one) => follow(driver, one)));
    if (!holding.every(accepted)) return;
    await driver.pause(pauseMs);
    isOver ??= await askWrongly(driver, group, kind);
    const after = await once(`${stepAfter(kind)}${round}`);
    await allOrThrow([follow(driver, after), isOver()]);
    if (!refused(after)) return;
  }
}

async function follow(driver: Driver, start: Exchange): Promise<void> {
  const id = startedId(start);
  if (id !== undefined) await driver.follow(id, 'its end');
}
