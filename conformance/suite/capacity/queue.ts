/** Executions that wait for a full group: how they are watched until they begin, and which begins first. */

import { isTerminal } from '../../../generated/lifecycle.js';
import { once } from '../../engine/memoize.js';
import { startedId } from '../../engine/outcome/read.js';
import { answeredStatus, endReading, readingOf, readings } from '../../engine/outcome/readings.js';
import { instant } from '../../engine/rule/times.js';
import { sameId } from '../../engine/rule/values.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { lifetime } from '../executions/intervals.js';
import { asksToQueue, groupOf, hasBegun, ifFull } from '../executions/view.js';
import type { StartSpec } from '../starts/starting.js';
import {
  enqueue,
  followAll,
  groupStart,
  lastHoldSteps,
  noPollingMs,
  queueSync,
  sendOverCapacityStarts,
} from './group-starts.js';
import type { Group } from './view.js';

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
 * did. What nobody asked for yet is queued as soon as it is known how long runs take. Returns all that was queued.
 */
export async function whileHeld(
  driver: Driver,
  group: Group,
  { holding, queued }: AtLimit,
): Promise<readonly string[]> {
  let isHeld = true;
  const all = [...(queued ?? [])];
  const longest = group.size > 1 ? apartMs(driver, group) / 2 : longestLookMs;
  // Sent once, as soon as the first profile comes free: when the last does, the queue may be empty. The youngest is read
  // first: one that has begun before an older one is read as queued has overtaken it.
  const newcomer = once(() => driver.runInParallel(overtake(driver, group, [...all.toReversed(), ...holding])));
  const asking = async () => {
    while (isHeld && !driver.areDurationsKnown) await Promise.race([isOver, driver.pause(noPollingMs)]);
    if (!isHeld) return;
    all.push(...(await driver.runExclusively(() => askForMore(driver, group, holding))));
  };
  const watching = async () => {
    if (!queued) await asking();
    let ms = noPollingMs / 2;
    for (let first = 0; isHeld && first < all.length; ms = Math.min(ms * 1.5, longest)) {
      const [reading] = await look(driver, [all[first] ?? '']);
      if (!isWaiting(reading)) {
        void newcomer();
        first += 1;
        ms = noPollingMs / 2;
        await look(driver, all.slice(first));
      }
      await Promise.race([isOver, driver.pause(ms)]);
    }
  };
  const ends = holding.map(async (id, place) => {
    await followAll(driver, [id]);
    if (all.length > 0) void newcomer();
    if (place > 0 && place < holding.length - 1) await look(driver, all);
  });
  const ended = allOrThrow(ends).finally(() => {
    isHeld = false;
  });
  const isOver = ended.catch(() => undefined);
  await allOrThrow([watching(), ended]);
  if (all.length > 0) await newcomer();
  return all;
}

const isWaiting = (reading: Exchange | undefined): boolean =>
  reading !== undefined && readingOf(reading)?.status === 'queued';
const isGoing = (reading: Exchange | undefined): boolean =>
  reading !== undefined && !isTerminal(readingOf(reading)?.status ?? '');

/** Asks for a profile just after room was made for those that wait. Not if there is room for both. */
async function overtake(driver: Driver, group: Group, others: readonly (string | undefined)[]): Promise<void> {
  if (group.size > 1) {
    const seen = await look(
      driver,
      others.filter((id) => id !== undefined),
    );
    if (seen.filter(isGoing).length < group.size) return;
  }
  const fault = 'executions that wait for the profile that came free';
  const newcomer = await driver.probe('queue-is-not-overtaken', fault, lastHoldSteps(group), {
    ...groupStart(driver, group, 'newcomer', ifFull('reject')),
    mayBeOverLimit: true,
  });
  await followAll(driver, [startedId(newcomer)]);
}

/** Follows the queued executions to their ends. */
export async function watch(driver: Driver, queued: readonly string[]): Promise<void> {
  // Files can be listed for a queued execution too, if only none.
  const listing = queued
    .slice(1)
    .slice(-1)
    .map((id) => driver.send({ step: 'list-queued', operation: 'listExecutionFiles', id }));
  await allOrThrow([look(driver, queued), ...listing]);
  await followAll(driver, queued);
}

/** What fills a group, and what waits for it: undefined if nobody asked yet, as it is not known how long runs take. */
export interface AtLimit {
  readonly holding: readonly (string | undefined)[];
  readonly queued: readonly string[] | undefined;
}

/** Asks for more than the group has. Resolves to the executions that wait. */
export async function askForMore(
  driver: Driver,
  group: Group,
  holding: AtLimit['holding'],
): Promise<readonly string[]> {
  const queued = await enqueue(driver, group);
  const over = sendOverCapacityStarts(driver, group, holding);
  queueSync(driver, group);
  await over;
  return queued;
}

/** Fills a group that came free before it was known how long runs take, and asks for more. */
export const refill = (driver: Driver, group: Group): Promise<AtLimit> =>
  driver.runExclusively(async () => {
    const holding: (string | undefined)[] = [];
    for (let n = 1; n <= group.size; n += 1) {
      const asked = groupStart(driver, group, `refill-${n}`, ifFull('reject'));
      holding.push(await take(driver, { ...asked, mayBeOverLimit: true }));
    }
    return { holding, queued: await askForMore(driver, group, holding) };
  }, group.size);

/** Takes a profile of the group. A refusal is excluded: the run may have used up the organization's capacity. */
export const take = async (driver: Driver, asked: StartSpec): Promise<string | undefined> =>
  startedId(await driver.startOnce({ ...asked, ifRefused: 'excluded' }));

/** Reads executions. With `withoutSpacing`, all at the same time, so that no answer is older; it may meet a rate limit. */
export const look = (
  driver: Driver,
  executions: readonly string[],
  how: Pick<RequestSpec, 'withoutSpacing'> = {},
): Promise<Exchange[]> =>
  allOrThrow(executions.map((id) => driver.send({ step: 'read', operation: 'getExecution', id, ...how })));

// Checks whether a queued execution begins without any request that could have moved the queue.

/** For so long, no request is sent. */
const silentMs = 61_000;
/** A single failure may be chance, and what still waits in the first round may keep it from beginning. */
const rounds = ['unasked', 'unasked-again', 'unasked-once-more'];
const perRound = 3;

/**
 * If queued executions began late, lets one wait when nobody else starts any: other starts, or polling, may have moved
 * the queue before. Another start then shows that there was room.
 */
export const queueAlone = (after: readonly Scenario[]) =>
  ({
    id: 'queue-alone',
    sends: ['execute', 'getExecution'],
    effect: 'execute',
    needs: ['capacity'],
    after: after.map(({ id }) => id),
    steps: {
      '*': ['queued-starts-by-itself'],
    },
    async run(driver): Promise<void> {
      const { capacity: group } = driver.facts;
      if (group?.size !== 1 || !(stillWaits(driver.evidence) || beganLate(driver.evidence, group.profileGroup))) return;
      driver.reportProgress('queues one execution alone: queued executions began late or not at all');
      for (const round of rounds)
        if (driver.budget.executionsLeft < perRound || (await beginsWithoutRequests(driver, group, round))) return;
    },
  }) as const satisfies Scenario;

/** Whether a queued execution began on its own a while after room was made; also true if that cannot be told. */
async function beginsWithoutRequests(driver: Driver, group: Group, round: string): Promise<boolean> {
  const elsewhere = groupStart(driver, group, `elsewhere-${round}`, { profileGroupId: undefined });
  const held = await driver.start(groupStart(driver, group, `hold-${round}`, ifFull('reject')));
  const holding = startedId(held);
  if (holding === undefined) return true;
  const queued = await driver.startOnce(groupStart(driver, group, `queue-${round}`, ifFull('queue')));
  const waiting = startedId(queued);
  const isFree = await driver.follow(holding, 'its end');
  if (waiting === undefined || !isFree) return true;
  await driver.pause(silentMs);
  const room = startedId(await driver.startOnce({ ...elsewhere, mayBeOverLimit: true }));
  const reading = readingOf(await driver.send({ step: 'read', operation: 'getExecution', id: waiting }));
  await followAll(driver, [waiting, room]);
  return room === undefined || (reading !== undefined && hasBegun(reading.status));
}

/** Whether one was waited for in vain. What finds room beside it later shows whether it stands still. */
const stillWaits = ({ traces }: Evidence): boolean =>
  traces.some(({ failedWait, readings: all }) => failedWait && readings(all).at(-1)?.status === 'queued');

/** An execution that begins later than this after room was made may have waited for something else. */
const lateMs = 250;

/** Whether an execution that was queued began long after room was made, going by how long runs like it last. */
export function beganLate({ traces }: Evidence, group: string): boolean {
  const ends = traces.flatMap((trace) => {
    const execution = endReading(trace)?.execution;
    const [at, lasted] = [instant(execution?.terminalAt), lifetime(execution ?? {})];
    return trace.start && at !== undefined && lasted !== undefined ? [{ start: trace.start, at, lasted }] : [];
  });
  const usual = (start: Exchange): number =>
    Math.min(...ends.filter((one) => one.start.resource === start.resource && tells(one.start)).map(ofLife));
  const inTurn = ends.filter(({ start }) => sameId(groupOf(start), group)).sort((a, b) => a.at - b.at);
  return inTurn.some(({ start, at, lasted }, place) => {
    const before = inTurn[place - 1];
    if (!before || answeredStatus(start) !== 'queued' || at - lasted > before.at) return false;
    const late = at - usual(start) - before.at;
    return Number.isFinite(late) && late > Math.max(lateMs, usual(start) / 4);
  });
}

/** Whether its duration is typical for its workflow. */
const tells = (start: Exchange) => !asksToQueue(start) && !start.changedByRequest;

const ofLife = ({ lasted }: { readonly lasted: number }) => lasted;
