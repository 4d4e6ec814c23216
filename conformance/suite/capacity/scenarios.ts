/** The scenario that fills a profile group, to see what a service does at the limit. */

import { isTerminal } from '../../../generated/lifecycle.js';
import { isProbe } from '../../engine/outcome/mark.js';
import { accepted, refused, requestFields, startedId } from '../../engine/outcome/read.js';
import { readingOf } from '../../engine/outcome/readings.js';
import { longestTurnMs, replicaLagMs } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import { Halt } from '../../engine/scenario/schedule.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { ifFull } from '../executions/view.js';
import { adviceToWaitLonger } from '../target/roles.js';
import {
  besideQueue,
  followAll,
  groupStart,
  holdingStart,
  lastHoldSteps,
  noPollingMs,
  sendOverCapacityStart,
  takeLast,
} from './group-starts.js';
import { type AtLimit, apartMs, askForMore, look, refill, take, watch, whileHeld } from './queue.js';
import { findWhoTakesPlaces, sendRefusedStarts } from './refusals-while-full.js';
import type { Group } from './view.js';

/** Fills the group, asks for more than it has, watches the queue empty, and uses the group again. */
export const capacity = {
  id: 'capacity',
  begins: 'capacity/hold',
  sends: ['execute', 'executeSync', 'getExecution', 'listExecutionFiles'],
  requests: 25,
  effect: 'execute',
  needs: ['capacity'],
  first: true,
  steps: {
    'none-*': ['missing-key-is-401'],
    'restricted-*': ['insufficient-permission-is-403'],
    'invalid-*': ['invalid-key-is-401'],
    'over-deprecated*': ['deprecated-fields-still-work'],
    'over-*': ['over-capacity-is-rejected'],
    newcomer: ['queue-is-not-overtaken'],
    'queue-temp-file*': ['temp-files-are-never-queued'],
    'free-*': ['capacity-is-freed'],
    'list-queued': ['files-are-grouped'],
    'head-with-version-*': ['head-excludes-version'],
    'soft-timeout-0-*': ['soft-timeout-minimum'],
    'after-keys-* beside-keys-*': ['key-refusal-does-nothing'],
    'after-bodies-* beside-bodies-*': ['capacity-is-freed'],
    'rival room-* beside-queue': [],
  },
  async run(driver): Promise<void> {
    const { capacity: group, pace } = driver.facts;
    if (!group) return;
    if (pace.concurrency < few) await driver.runExclusively(() => limits(driver, group), group.size);
    else await limits(driver, group);
    const beside = driver.lastAnswer(`capacity/${besideQueue}`);
    await followAll(driver, [beside && startedId(beside)]);
    await useAgain(driver, group);
  },
} as const satisfies Scenario;

/** With fewer concurrent requests, synchronous calls of other scenarios could block those that must be quick. */
const few = 4;

async function limits(driver: Driver, group: Group): Promise<void> {
  await driver.waitForDurations();
  const met = await meetTheLimit(driver, group);
  if (met.holding.includes(undefined)) return followAll(driver, met.holding);
  const [all] = await allOrThrow([
    whileHeld(driver, group, met),
    look(driver, met.queued ?? [], { withoutSpacing: true }),
  ]);
  const isLeft = !met.queued && all.length === 0 && driver.areDurationsKnown && driver.mayStart('capacity/queue-1');
  const isRefilled = isLeft && (await cameFree(driver, met.holding));
  const queued = isRefilled ? await whileHeld(driver, group, await refill(driver, group)) : all;
  await driver.pause(noPollingMs);
  await watch(driver, queued);
  await driver.parallelWorkEnded();
  // Neither is there a place to use again, nor is it known that what is queued would begin before the suite ends.
  if (!(await cameFree(driver, met.holding))) throw new Halt(stillFull(driver, group), { need: 'capacity' });
}

/** Whether any of what filled the group is no longer seen to go on. */
async function cameFree(driver: Driver, holding: AtLimit['holding']): Promise<boolean> {
  const ids = holding.filter((id) => id !== undefined);
  const seen = (await look(driver, ids)).map((one) => readingOf(one)?.status);
  return seen.some((status) => status === undefined || isTerminal(status));
}

const stillFull = ({ areDurationsKnown, facts }: Driver, group: Group): string =>
  `The profile group was not seen to come free: ${adviceToWaitLonger(areDurationsKnown ? group.workflow : facts.workflows.completes, facts)}.`;

/** Executions that are left to the other scenarios. */
const spare = 25;

/**
 * Fills the group, and asks for more while it is full. Nobody else sends meanwhile: the group may come free soon, and
 * others would use up the organization's capacity.
 */
async function meetTheLimit(driver: Driver, group: Group): Promise<AtLimit> {
  const holding: (string | undefined)[] = [];
  const isFull = () => holding.length >= group.size;
  const askMore = async (): Promise<AtLimit> => {
    const isOver = await sendOverCapacityStart(driver, group);
    // Until it is known how long runs take, nobody knows whether what is queued will begin before the suite ends.
    const queued = driver.areDurationsKnown ? await askForMore(driver, group, holding) : undefined;
    await isOver();
    return { holding, queued };
  };
  const first = await driver.runExclusively(async () => {
    while (holding.length < group.size - 1) {
      const id = await take(driver, holdingStart(driver, group, holding.length + 1));
      if (id === undefined) break;
      holding.push(id);
      await driver.pause(apartMs(driver, group));
    }
    if (holding.length === group.size - 1) holding.push(...(await takeLast(driver, group)));
    return isFull() ? askMore() : undefined;
  }, group.size);
  if (first) return first;
  // Refused because of other executions: wait for room for each.
  while (!isFull()) {
    const id = startedId(await driver.start(holdingStart(driver, group, holding.length + 1)));
    holding.push(id);
    if (id === undefined) return { holding, queued: [] };
  }
  return driver.runExclusively(askMore);
}

/** Uses the group again: executions that ended, and starts that were refused, must not hold a profile. */
async function useAgain(driver: Driver, group: Group): Promise<unknown> {
  const { fails } = driver.facts.workflows;
  const isOver = await sendRefusedStarts(driver, group);
  const place = driver.sent.length;
  const again = async (step: string, replaces?: readonly Exchange[]): Promise<void> => {
    const asked = groupStart(driver, group, step, ifFull('reject'), fails);
    const started = await driver.start({ ...asked, ...(replaces && { replaces }) });
    await followAll(driver, [startedId(started)]);
    if (!refused(started)) return;
    // A place may take a while to come free.
    if (group.exclusive && !replaces) {
      await driver.pause(longestTurnMs);
      return again(`${step}-later`, [started]);
    }
    // Tells whether the group is full, or the organization.
    const elsewhere = groupStart(driver, group, `${step}-elsewhere`, { profileGroupId: undefined }, fails);
    await followAll(driver, [startedId(await driver.startOnce(elsewhere))]);
  };
  if (!driver.mayStart('capacity/free-1')) return isOver();
  const steps = Array.from({ length: Math.min(group.size, 3) }, (_, n) => `free-${n + 1}`);
  await allOrThrow(steps.map((step) => again(step)));
  await isOver();
  const ofGroup = (one: Exchange) => sameId(requestFields(one).profileGroupId, group.profileGroup);
  if (driver.sent.slice(place).some((one) => wasTurnedAway(one) && ofGroup(one)))
    await findWhoTakesPlaces(driver, group);
}

/** Fills the group once more when all others are over: a place may be lost, or the limit forgotten, after a while. */
export const fullAgain = (after: readonly Scenario[]) =>
  ({
    id: 'full-again',
    begins: 'full-again/hold',
    sends: ['execute', 'executeSync', 'getExecution'],
    effect: 'execute',
    needs: ['capacity'],
    after: after.map(({ id }) => id),
    steps: {
      'over-*': ['over-capacity-is-rejected'],
      '*': [],
    },
    async run(driver): Promise<void> {
      const { capacity: group } = driver.facts;
      const isFreed = driver.lastAnswer('capacity/free-1') !== undefined;
      if (group && isFreed) await fillAgain(driver, group);
    },
  }) as const satisfies Scenario;

/** Whether a start that should be accepted was refused, if only at first. */
const wasTurnedAway = (one: Exchange): boolean => one.mark?.scenario === 'capacity' && !isProbe(one) && refused(one);

/**
 * One lost place goes unnoticed if starts find another. So run as many at the same time as there are profiles. A place may
 * take a while to come free after an end, and somebody else may use the group: the second time is after a longer pause.
 */
async function fillAgain(
  driver: Driver,
  group: Group,
  [pauseMs = 0, ...later]: readonly number[] = [replicaLagMs, longestTurnMs],
): Promise<void> {
  const holding: (string | undefined)[] = [];
  let last: Exchange | undefined;
  await driver.pause(pauseMs);
  const mayBeInVain = later.length > 0 && ({ ifRefused: 'excluded' } as const);
  while (holding.length < group.size && (!last || accepted(last))) {
    const step = `hold-${holding.length + 1}`;
    const asked = { ...groupStart(driver, group, step, ifFull('reject')), mayBeOverLimit: true, ...mayBeInVain };
    const isLast = holding.length === group.size - 1;
    last = await (isLast ? waitBeside(driver, group, asked, holding) : driver.startOnce(asked));
    holding.push(startedId(last));
  }
  const isFull = last !== undefined && refused(last);
  if (isFull && later.length === 0) {
    // Tells whether the group is full, or the organization.
    const elsewhere = groupStart(driver, group, 'elsewhere', { profileGroupId: undefined });
    holding.push(startedId(await driver.startOnce(elsewhere)));
  }
  await followAll(driver, holding);
  if (isFull && later.length > 0 && driver.budget.executionsLeft > group.size + spare)
    await fillAgain(driver, group, later);
}

/** Starts one with a synchronous call. It holds a profile too: while the call and `others` go on, the group is full. */
async function waitBeside(
  driver: Driver,
  group: Group,
  held: ReturnType<typeof groupStart>,
  others: readonly (string | undefined)[] = [],
): Promise<Exchange> {
  let isOver = false;
  const isOnly = others.length === 0;
  const call = { ...held, operation: 'executeSync' } as const;
  const answered = driver.runInParallel(
    (isOnly ? driver.start(call) : driver.startOnce(call)).finally(() => {
      isOver = true;
    }),
  );
  await Promise.race([answered, driver.pause(noPollingMs / 2)]);
  if (isOver) return answered;
  const fault = 'every profile in use by a start that is waited for';
  const over = await driver.probe('over-capacity-is-rejected', fault, lastHoldSteps(group), {
    ...groupStart(driver, group, 'over-waited-for', ifFull('reject')),
    mayBeOverLimit: true,
  });
  const started = await answered;
  await followAll(driver, isOnly ? [startedId(over)] : [startedId(over), startedId(started), ...others]);
  return started;
}
