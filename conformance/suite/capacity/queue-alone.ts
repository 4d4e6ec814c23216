/** Checks whether a queued execution begins without any request that could have moved the queue. */

import { startedId } from '../../engine/outcome/read.js';
import { answeredStatus, endReading, readingOf, readings } from '../../engine/outcome/readings.js';
import { instant } from '../../engine/rule/times.js';
import { sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { lifetime } from '../executions/intervals.js';
import { asksToQueue, groupOf, hasBegun, ifFull } from '../executions/view.js';
import { followAll, groupStart } from './group-starts.js';
import { type Group, isQueued } from './view.js';

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
    async run(driver) {
      const { capacity: group } = driver.facts;
      if (group?.size !== 1 || !beganLate(driver.evidence, group.profileGroup)) return;
      driver.reportProgress('queues one execution alone: queued executions began late');
      for (const round of rounds)
        if (driver.budget.executionsLeft < perRound || (await beginsWithoutRequests(driver, group, round))) return;
    },
  }) as const satisfies Scenario;

/** Whether a queued execution began on its own a while after room was made; also true if that cannot be told. */
async function beginsWithoutRequests(driver: Driver, group: Group, round: string): Promise<boolean> {
  const elsewhere = groupStart(driver, group, `elsewhere-${round}`, { profileGroupId: undefined });
  const held = await driver.start(groupStart(driver, group, `hold-${round}`, ifFull('reject')));
  const holding = startedId(held);
  if (holding === undefined) {
    // Tells whether the group is full or the organization, as others may wait for it.
    const waiting = stillQueued(driver);
    const room = startedId(await driver.startOnce({ ...elsewhere, mayBeOverLimit: true }));
    await allOrThrow(waiting.map((id) => driver.send({ step: 'read', operation: 'getExecution', id })));
    await followAll(driver, [room]);
    // What has begun since then kept the group from others.
    return waiting.length === stillQueued(driver).length;
  }
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

/** Executions that were queued when they were last read. */
const stillQueued = ({ evidence }: Driver): string[] =>
  evidence.traces
    .filter((trace) => isQueued(trace) && readings(trace.readings).at(-1)?.status === 'queued')
    .map(({ executionId }) => executionId);

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
const tells = (start: Exchange) => !asksToQueue(start) && !start.mark?.changedByRequest;

const ofLife = ({ lasted }: { readonly lasted: number }) => lasted;
