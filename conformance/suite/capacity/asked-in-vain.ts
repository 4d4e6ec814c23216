/** Whether a start that is refused, for its key or for its body, takes a place of its group all the same. */
import type { RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, refused, startedId } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { type Driver, together } from '../driver.js';
import { deniedFor, keyFaults } from '../keys/faults.js';
import { both } from '../starts/requests.js';
import type { StartAsk } from '../starts/starting.js';
import { ask, type Group, holds, quietMs } from './asks.js';
import { type Kind, stepAfter, stepBeside } from './places-taken.js';

/** Of a larger group a part tells. */
const most = 5;
/** Once may be by chance: somebody else uses the group. */
const rounds = 2;

/** Starts that have to be refused, for their key or for their body. */
type Wrong = readonly [
  rule: RuleId,
  name: string,
  fault: string,
  more: Pick<StartAsk, 'credential'> & { body?: Fields },
];

const wrongKeys = (driver: Driver, operation: StartAsk['operation']): Wrong[] =>
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

/**
 * Asks for each place of the group with each fault of a kind. A call that is not refused at once may be waiting for its run,
 * and is not waited for; resolves to a wait for its end.
 */
async function askWrongly(driver: Driver, group: Group, kind: Kind): Promise<() => Promise<void>> {
  const calls: Promise<void>[] = [];
  for (const operation of both)
    for (const [rule, name, fault, { credential, body }] of kind === 'keys'
      ? wrongKeys(driver, operation)
      : wrongBodies(driver))
      for (let place = 1; place <= Math.min(group.size, most); place += 1) {
        const wait = operation === 'executeSync' ? { timeoutSeconds: 1 } : {};
        const asked = ask(driver, group, `${name}-${operation}`, { onCapacityLimit: 'reject', ...wait, ...body });
        const call = driver
          .probe(rule, fault, holds(group), { ...asked, operation, ...(credential && { credential }) })
          .then((exchange) => (accepted(exchange) ? follow(driver, exchange) : undefined));
        call.catch(() => undefined);
        calls.push(call);
        await Promise.race([call, driver.pause(quietMs)]);
      }
  return () => together(calls);
}

/** Asks for the group in each way that has to be refused. */
export async function askInVain(driver: Driver, group: Group): Promise<() => Promise<void>> {
  const ends = [await askWrongly(driver, group, 'keys'), await askWrongly(driver, group, 'bodies')];
  return () => together(ends.map((isOver) => isOver()));
}

/** Tells apart who takes the places of the group: starts that are refused for something, or somebody else. */
export async function tellWhoTakesPlaces(driver: Driver, group: Group): Promise<void> {
  for (const kind of ['keys', 'bodies'] as const) await tell(driver, group, kind);
}

async function tell(driver: Driver, group: Group, kind: Kind): Promise<void> {
  const asked = (step: string) => ask(driver, group, step, { onCapacityLimit: 'reject' });
  const once = (step: string) => driver.startOnce({ ...asked(step), mayBeOverLimit: true, odd: true });
  for (let round = 1; round <= rounds; round += 1) {
    await follow(driver, await driver.start(asked(`room-${kind}-${round}`)));
    await driver.pause(behindMs);
    const beside = await once(`${stepBeside[kind]}${round}`);
    await follow(driver, beside);
    if (!accepted(beside)) return;
    await driver.pause(behindMs);
    const isOver = await askWrongly(driver, group, kind);
    const after = await once(`${stepAfter[kind]}${round}`);
    await Promise.all([follow(driver, after), isOver()]);
    if (!refused(after)) return;
  }
}

async function follow(driver: Driver, start: Exchange): Promise<void> {
  const id = startedId(start);
  if (id !== undefined) await driver.follow(id, 'its end');
}
