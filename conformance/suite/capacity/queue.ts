/** Executions that wait for a full group: how they are watched until they begin, and which begins first. */

import { isTerminal } from '../../../generated/lifecycle.js';
import { once } from '../../engine/memoize.js';
import { accepted, answerBody, startedId } from '../../engine/outcome/read.js';
import { readingOf } from '../../engine/outcome/readings.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver } from '../driver.js';
import type { StartSpec } from '../starts/starting.js';
import {
  enqueue,
  firstQueued,
  followAll,
  type Group,
  groupStart,
  lastHoldSteps,
  noPollingMs,
  queueSync,
} from './group-starts.js';

const longestApartMs = 5000;
const shareApart = 1 / 12;

/** The pause between taking profiles, so that they come free one by one, and it is seen what begins then. */
export function apartMs({ executions }: Driver, { size }: Group): number {
  const { longestMs = Number.POSITIVE_INFINITY } = executions;
  return Math.max(noPollingMs / 2, Math.min(longestApartMs, longestMs * Math.min(shareApart, 1 / (3 * size))));
}

const longestLookMs = 5000;

/**
 * Polls the first of the queue, each in its turn, until all profiles came free. Asks for a profile as soon as the first
 * did. If the duration of runs was unknown, the rest is queued once it is known. Returns all that was queued.
 */
export async function whileHeld(
  driver: Driver,
  group: Group,
  holding: readonly (string | undefined)[],
  queued: readonly string[],
): Promise<readonly string[]> {
  let isHeld = true;
  const all = [...queued];
  let isRestAsked = queued.length !== 1 || !hasRest(driver);
  const longest = group.size > 1 ? apartMs(driver, group) / 2 : longestLookMs;
  // In a group of many profiles, the queue may be empty by the time the last one comes free.
  // The youngest is read first: one that has begun before an older one is read as queued has overtaken it.
  const newcomer = once(() => driver.runInParallel(overtake(driver, group, [...all.toReversed(), ...holding])));
  const watching = async () => {
    let ms = noPollingMs / 2;
    for (let first = 0; isHeld && first < all.length; ms = Math.min(ms * 1.5, longest)) {
      const id = all[first] ?? '';
      const [reading] = await look(driver, [id]);
      if (!isWaiting(reading)) {
        void newcomer();
        first += 1;
        ms = noPollingMs / 2;
        await look(driver, all.slice(first));
      } else if (!isRestAsked && driver.areDurationsKnown) {
        isRestAsked = true;
        all.push(...(await driver.runExclusively(() => enqueueRest(driver, group, id, isWaiting))));
      }
      await Promise.race([isOver, driver.pause(ms)]);
    }
  };
  const ends = holding.map(async (id, place) => {
    await followAll(driver, [id]);
    void newcomer();
    if (place > 0 && place < holding.length - 1) await look(driver, all);
  });
  const ended = allOrThrow(ends).finally(() => {
    isHeld = false;
  });
  const isOver = ended.catch(() => undefined);
  await allOrThrow([watching(), ended]);
  await newcomer();
  return all;
}

const isWaiting = (reading: Exchange | undefined): boolean =>
  reading !== undefined && readingOf(reading)?.status === 'queued';
const isGoing = (reading: Exchange | undefined): boolean =>
  reading !== undefined && !isTerminal(readingOf(reading)?.status ?? '');

/** Asks for a profile just after room was made for those that wait. Not if there is room for both. */
async function overtake(driver: Driver, group: Group, others: readonly (string | undefined)[]): Promise<void> {
  if (group.size > 1) {
    const known = await look(
      driver,
      others.filter((id) => id !== undefined),
    );
    if (known.filter(isGoing).length < group.size) return;
  }
  const fault = 'executions that wait for the profile that came free';
  const newcomer = await driver.probe('queue-is-not-overtaken', fault, lastHoldSteps(group), {
    ...groupStart(driver, group, 'newcomer', { onCapacityLimit: 'reject' }),
    mayBeOverLimit: true,
  });
  await followAll(driver, [startedId(newcomer)]);
}

/** Follows the queued executions to their ends. */
export async function watch(driver: Driver, group: Group, queued: readonly string[]): Promise<void> {
  const [first, ...others] = queued;
  if (first === undefined) return;
  // Files can be listed for a queued execution too, if only none.
  const listing = others
    .slice(-1)
    .map((id) => driver.send({ step: 'list-queued', operation: 'listExecutionFiles', id }));
  await allOrThrow([look(driver, queued), ...listing]);
  const inTurn = driver.follow(first, 'its turn', hasKnownBegun).then(async (isRunning) => {
    // While another one still waits, no profile is free.
    const anyWaits = async () => (await look(driver, queued.slice(-1))).some(isWaiting);
    if (!isRunning || !(await anyWaits())) return;
    const over = await driver.probe(
      'over-capacity-is-rejected',
      'every profile in use by what was queued',
      lastHoldSteps(group),
      {
        ...groupStart(driver, group, 'over-queued', { onCapacityLimit: 'reject' }),
        mayBeOverLimit: true,
      },
    );
    // A profile may have come free by then.
    if (accepted(over) && !(await anyWaits())) driver.exclude(over);
  });
  const rest = queued.length > 1 ? Promise.resolve() : inTurn.then(() => queueRest(driver, group, first));
  await allOrThrow([rest, inTurn.then(() => followAll(driver, [first])), followAll(driver, others)]);
}

/** The steps that are queued behind the first. */
export const restOfQueue = ['queue-fails', 'queue-cancelled', 'queue-deprecated', 'queue-sync'] as const;
const hasRest = (driver: Driver): boolean => restOfQueue.some((step) => driver.mayStart(`capacity/${step}`));

/** Queues the rest while the group is full, as `first` shows. If it is not, starts that began are excluded. */
async function enqueueRest(
  driver: Driver,
  group: Group,
  first: string,
  isFull: (first: Exchange | undefined) => boolean,
): Promise<string[]> {
  const queued = await enqueue(driver, group, (step) => step !== firstQueued);
  const [reading] = await look(driver, [first]);
  if (isFull(reading)) queueSync(driver, group);
  else
    for (const one of driver.sent)
      if (queued.includes(startedId(one) ?? '') && answerBody(one)?.status !== 'queued') driver.exclude(one);
  return queued;
}

/** Queues the rest later, if room came too soon. `first`, and starts that do not queue, fill the group again. */
async function queueRest(driver: Driver, group: Group, first: string): Promise<void> {
  if (!driver.areDurationsKnown || !hasRest(driver)) return;
  const holding: string[] = [];
  const queued = await driver.runExclusively(async () => {
    for (let n = 1; n < group.size; n += 1) {
      const asked = groupStart(driver, group, `refill-${n}`, { onCapacityLimit: 'reject' });
      const id = await take(driver, { ...asked, mayBeOverLimit: true });
      if (id === undefined) break;
      holding.push(id);
    }
    return enqueueRest(driver, group, first, isGoing);
  }, group.size - 1);
  await followAll(driver, [...holding, ...queued]);
}

const hasKnownBegun = (status: string): boolean => status === 'running';

/** Takes a profile of the group. A refusal is excluded: the run may have used up the organization's capacity. */
export async function take(driver: Driver, asked: StartSpec): Promise<string | undefined> {
  const one = await driver.startOnce(asked);
  if (!accepted(one)) driver.exclude(one);
  return startedId(one);
}

/** Reads executions. With `withoutSpacing`, all at the same time, so that no answer is older; it may meet a rate limit. */
export const look = (
  driver: Driver,
  executions: readonly string[],
  how: Pick<RequestSpec, 'withoutSpacing'> = {},
): Promise<Exchange[]> =>
  allOrThrow(executions.map((id) => driver.send({ step: 'read', operation: 'getExecution', id, ...how })));
