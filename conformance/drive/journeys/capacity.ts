import { isTerminal } from '../../../generated/lifecycle.js';
import { accepted, acceptedExecutionId, answer, type Fields, refused, status } from '../../evidence/read.js';
import { hasBegun, lifetime, readingOf } from '../../evidence/runs.js';
import type { Exchange, Facts } from '../../vocabulary.js';
import { type Driver, type Journey, together } from '../driver.js';
import { both } from './requests.js';

type Group = NonNullable<Facts['capacity']>;

/** Nobody asks for what is queued for so long after room was made: it has to start by itself. */
const quietMs = 300;
const longestLookMs = 5000;

/** Fills a profile group, asks for more than it has, watches the queue empty, and uses the group again. */
export const capacity: Journey = {
  id: 'capacity',
  effect: 'execute',
  needs: ['capacity'],
  first: true,
  async run(driver) {
    const { capacity: group, pace } = driver.facts;
    if (!group) return;
    if (pace.concurrency < few) await driver.alone(() => limits(driver, group));
    else await limits(driver, group);
    const beside = driver.heard('capacity', besideQueue);
    await follow(driver, [beside && acceptedExecutionId(beside)]);
    await useAgain(driver, group);
  },
};

/** Requests at the same time among which others' synchronous calls leave none for what does not last. */
const few = 4;

async function limits(driver: Driver, group: Group): Promise<void> {
  let { holding, queued, sync } = await meetTheLimit(driver, group);
  for (let round = 1; wasMissed(driver) && round < rounds && driver.executionsLeft > spare; round += 1) {
    await Promise.all([follow(driver, [...holding, ...queued]), sync]);
    if (!(await held(driver, holding))) break;
    for (const step of [
      ...holdSteps(group),
      'rival',
      'read-held',
      'queue-1',
      'queue-fails',
      'queue-cancelled',
      'queue-deprecated',
      'queue-sync',
      ...over.flatMap((step) => [step, `${step}-sync`]),
    ])
      driver.withdrawStep(step);
    driver.says('fills the group again: it was not full any more when the next one came');
    ({ holding, queued, sync } = await meetTheLimit(driver, group));
  }
  if (holding.includes(undefined)) return follow(driver, holding);
  const [asked] = await Promise.all([
    together([whileHeld(driver, group, holding, queued), look(driver, queued)])
      .then(() => driver.pause(quietMs))
      .then(() => watch(driver, group, queued)),
    sync,
  ]);
  if (asked && group.size === 1) await waitUnasked(driver, group);
}

/** How often the group is filled, where what held it had ended before the next one came. */
const rounds = 3;
/** Executions that are left to the other journeys. */
const spare = 25;

/** A run that holds its profile for less is over before anybody can ask for what it holds. */
const shortestHoldMs = 250;

interface Met {
  readonly holding: (string | undefined)[];
  readonly queued: string[];
  /** The synchronous start that is queued, followed to its end. */
  readonly sync: Promise<void>;
}

/**
 * Fills the group, and asks for more while it is full. Nobody else sends meanwhile: it may be over soon, and others would
 * take what the organization has.
 */
async function meetTheLimit(driver: Driver, group: Group): Promise<Met> {
  const holding: (string | undefined)[] = [];
  const isFull = () => holding.length >= group.size;
  const nothingMore = (): Met => ({ holding, queued: [], sync: Promise.resolve() });
  const askMore = async (): Promise<Met> => {
    const queued = await enqueue(driver, group);
    if (wasMissed(driver)) return { ...nothingMore(), queued };
    const more = askForMore(driver, group, holding);
    // It takes the place of a request for as long as it waits.
    const sync =
      driver.facts.pace.concurrency > 1 ? queueSync(driver, group, group.size + queued.length + 1) : Promise.resolve();
    sync.catch(() => undefined);
    await more;
    return { holding, queued, sync };
  };
  const first = await driver.alone(async () => {
    while (holding.length < group.size - 1) {
      const one = await driver.startOnce(hold(driver, group, holding.length + 1));
      if (!accepted(one)) driver.withdraw(one);
      if (!accepted(one)) break;
      holding.push(acceptedExecutionId(one));
      // So that they end one after the other, and which of those that wait begins first is seen.
      await driver.pause(quietMs / 2);
    }
    if (holding.length === group.size - 1) holding.push(...(await takeLast(driver, group)));
    return isFull() ? askMore() : undefined;
  });
  if (first) return first;
  // Refused for the sake of other executions: each waits for its turn.
  while (!isFull()) {
    const id = acceptedExecutionId(await driver.start(hold(driver, group, holding.length + 1)));
    holding.push(id);
    if (id === undefined) return nothingMore();
  }
  return driver.alone(askMore);
}

/** Whether what held the group did so for long enough to be met, as far as the target tells. */
async function held(driver: Driver, holding: readonly (string | undefined)[]): Promise<boolean> {
  const ids = holding.filter((id) => id !== undefined);
  const lasted = (await look(driver, ids)).map((one) => lifetime(answer(one) ?? {}) ?? shortestHoldMs);
  return Math.max(...lasted) >= shortestHoldMs;
}

/** Whether the first that was to be queued began at once. */
const wasMissed = (driver: Driver): boolean => {
  const first = driver.heard('capacity', 'queue-1');
  return first !== undefined && accepted(first) && answer(first)?.status !== 'queued';
};

const holdSteps = ({ size }: Group): string[] => Array.from({ length: size }, (_, index) => `hold-${index + 1}`);

/** There is no time to find out what a service or a firewall takes in free fields. */
const plainly = (driver: Driver, step: string) => {
  const marker = { conformanceMarker: driver.unique(step) };
  return { inputs: marker, metadata: marker };
};

const ask = (driver: Driver, group: Group, step: string, more: Fields, workflow = group.workflow) => ({
  step,
  operation: 'execute' as const,
  id: workflow,
  body: { profileGroupId: group.profileGroup, ...plainly(driver, step), ...more },
});

const hold = (driver: Driver, group: Group, n: number) =>
  ask(driver, group, `hold-${n}`, { onCapacityLimit: 'reject' });

/** Two ask for the last profile at the same time. */
async function takeLast(driver: Driver, group: Group): Promise<(string | undefined)[]> {
  const last = hold(driver, group, group.size);
  const rivals = await Promise.all(
    [last, { ...last, step: 'rival' }].map((one) => driver.send({ ...one, mayBeOverLimit: true, atOnce: true })),
  );
  // One of them is to be refused; a service may refuse both for the sake of other executions.
  for (const rival of rivals) if (!accepted(rival)) driver.withdraw(rival);
  return rivals.filter(accepted).map(acceptedExecutionId);
}

/** Queues, in turn, what makes room in each way in which a run ends; the last under the deprecated names. */
async function enqueue(driver: Driver, group: Group): Promise<string[]> {
  const { workflows, agentHardTimeoutMins: hard = 3 } = driver.facts;
  const deprecated = {
    profileGroupId: undefined,
    agentProfilePoolId: group.profileGroup,
    inputs: undefined,
    dynamicData: plainly(driver, 'queue-deprecated').inputs,
  };
  const queued: string[] = [];
  for (const [step, more, workflow] of [
    ['queue-1', {}, group.workflow],
    ['queue-fails', { executionOptions: { softTimeoutMins: Math.max(1, hard - 2) } }, workflows.fails],
    ['queue-cancelled', {}, workflows.cancelled],
    ['queue-deprecated', deprecated, group.workflow],
  ] as const) {
    if (workflow === undefined) continue;
    const asked = await askToWait(driver, ask(driver, group, step, { ...more, onCapacityLimit: 'queue' }, workflow));
    const executionId = acceptedExecutionId(asked);
    if (executionId !== undefined) queued.push(executionId);
  }
  return queued;
}

type StartAsk = Parameters<Driver['startOnce']>[0];

/**
 * Asks to be queued. A 429 may be one of pace, and is then waited for; it is one of capacity, and an answer, where the same
 * start without the group is taken at once, and this one is not when it is sent again.
 */
async function askToWait(driver: Driver, asked: StartAsk): Promise<Exchange> {
  const once = { ...asked, mayBeOverLimit: true };
  const isKnown = refusesToQueue(driver);
  const first = await driver.startOnce(once);
  if (status(first) !== overLimit || isKnown) return first;
  const { profileGroupId: _, agentProfilePoolId: __, onCapacityLimit: ___, ...body } = asked.body as Fields;
  const elsewhere = await driver.startOnce({ ...once, step: besideQueue, body });
  const again = accepted(elsewhere) ? await driver.startOnce(once) : undefined;
  if (again && status(again) === overLimit) return again;
  for (const one of [first, elsewhere]) if (refused(one)) driver.withdraw(one);
  return again ?? driver.startOnce(asked);
}

const overLimit = 429;
const besideQueue = 'beside-queue';

/** Whether it was found before: one start beside the queue tells for all. */
const refusesToQueue = (driver: Driver): boolean => {
  const [first, beside] = ['queue-1', besideQueue].map((step) => driver.heard('capacity', step));
  return first !== undefined && status(first) === overLimit && beside !== undefined && accepted(beside);
};

const over = ['over-default', 'over-reject', 'over-deprecated', 'queue-temp-file'];

/** What has to be refused while the group is full; and a look at what fills it, which tells that it is full still. */
async function askForMore(driver: Driver, group: Group, holding: readonly (string | undefined)[]): Promise<void> {
  const ids = holding.filter((id) => id !== undefined);
  const lookAtHeld = () =>
    Promise.all(ids.map((id) => driver.send({ step: 'read-held', operation: 'getExecution', id })));
  const [soon, late] = both.map((operation) => together(tooMany(driver, group, operation)));
  let isOver = false;
  const over = late?.finally(() => {
    isOver = true;
  });
  over?.catch(() => undefined);
  await soon;
  await lookAtHeld();
  await Promise.race([over, driver.pause(quietMs)]);
  // A synchronous start that was not refused waits.
  if (!isOver) await lookAtHeld();
  await over;
}

type AtLimit = 'over-capacity-is-rejected' | 'deprecated-fields-still-work' | 'temp-files-are-never-queued';

function tooMany(
  driver: Driver,
  group: Group,
  operation: (typeof both)[number],
): (Promise<unknown> | false | undefined)[] {
  const sync = operation === 'executeSync';
  const refuse = (rule: AtLimit, step: string, fault: string, more: Fields) =>
    driver.probe(rule, fault, rule === 'temp-files-are-never-queued' ? ['capacity/queue-1'] : holds(group), {
      ...ask(driver, group, sync ? `${step}-sync` : step, { ...(sync && { timeoutSeconds: 1 }), ...more }),
      operation,
      asks: [rule === 'temp-files-are-never-queued' ? 'queue-with-temp-files' : 'over-capacity-status'],
      mayBeOverLimit: true,
    });
  const full = 'every profile of the group in use';
  const { tempFile } = driver.facts;
  return [
    refuse('over-capacity-is-rejected', 'over-default', full, {}),
    refuse('over-capacity-is-rejected', 'over-reject', `${full}, onCapacityLimit reject`, {
      onCapacityLimit: 'reject',
    }),
    refuse('deprecated-fields-still-work', 'over-deprecated', `${full}, as agentProfilePoolId`, {
      profileGroupId: undefined,
      agentProfilePoolId: group.profileGroup,
    }),
    tempFile &&
      refuse(
        'temp-files-are-never-queued',
        'queue-temp-file',
        'temp files with onCapacityLimit queue, every profile in use',
        { onCapacityLimit: 'queue', tempFiles: [tempFile] },
      ),
  ];
}

/** The steps of which one took the last profile. */
const holds = ({ size }: Group) => [`capacity/hold-${size}`, 'capacity/rival'];

/** Looks at what waits first until room was made, and asks for a profile as soon as it was. */
async function whileHeld(
  driver: Driver,
  group: Group,
  holding: readonly (string | undefined)[],
  queued: readonly string[],
): Promise<void> {
  let isHeld = true;
  const [first] = queued;
  const watching = async () => {
    for (let ms = quietMs / 2; isHeld && first !== undefined; ms = Math.min(ms * 1.5, longestLookMs)) {
      await look(driver, [first]);
      await Promise.race([isOver, driver.pause(ms)]);
    }
  };
  const [last, ...others] = holding.toReversed();
  const ended = together([
    follow(driver, [last]),
    ...others.map((id) => follow(driver, [id]).then(() => look(driver, queued))),
  ]).finally(() => {
    isHeld = false;
  });
  const isOver = ended.catch(() => undefined);
  await together([watching(), ended.then(() => overtake(driver, group))]);
}

/** Asks for a profile as soon as room was made for what waits. */
async function overtake(driver: Driver, group: Group): Promise<void> {
  const fault = 'executions that wait for the profile that came free';
  const newcomer = await driver.probe('queue-is-not-overtaken', fault, holds(group), {
    ...ask(driver, group, 'newcomer', { onCapacityLimit: 'reject' }),
    mayBeOverLimit: true,
  });
  await follow(driver, [acceptedExecutionId(newcomer)]);
}

/** A synchronous start is queued as well; its answer comes when its wait is over. */
async function queueSync(driver: Driver, group: Group, turns: number): Promise<void> {
  const more = { onCapacityLimit: 'queue', timeoutSeconds: 1 };
  // As one that is queued asynchronously, and soon over.
  const soonOver = ask(driver, group, 'queue-sync', more, driver.facts.workflows.cancelled);
  const asked = await askToWait(driver, { ...soonOver, operation: 'executeSync' });
  const executionId = acceptedExecutionId(asked);
  if (executionId !== undefined) await driver.follow(executionId, 'its end', undefined, { turns });
}

const look = (driver: Driver, executions: readonly string[]): Promise<Exchange[]> =>
  Promise.all(executions.map((id) => driver.send({ step: 'read', operation: 'getExecution', id })));

const begun = (exchange: Exchange | undefined): boolean => {
  const reading = exchange && readingOf(exchange);
  return reading !== undefined && hasBegun(reading.status);
};

/** Follows what is queued. Tells whether the first began as soon as it was asked for, and no sooner. */
async function watch(driver: Driver, group: Group, queued: readonly string[]): Promise<boolean> {
  const [first] = queued;
  if (first === undefined) return false;
  const before = (await look(driver, queued)).map(begun)[0];
  let asked = false;
  if (before === false) {
    await driver.pause(quietMs);
    asked = begun((await look(driver, [first]))[0]);
  }
  const inTurn = driver.follow(first, 'its turn', hasKnownBegun).then(async (isRunning) => {
    if (isRunning)
      await driver.probe('over-capacity-is-rejected', 'every profile in use by what was queued', holds(group), {
        ...ask(driver, group, 'over-queued', { onCapacityLimit: 'reject' }),
        mayBeOverLimit: true,
      });
  });
  await together([inTurn.then(() => follow(driver, [first])), follow(driver, [undefined, ...queued.slice(1)])]);
  return asked;
}

const hasKnownBegun = (status: string): boolean => status === 'running';

/** A run that began when it was asked for may begin for no other reason: another one waits, and nobody asks for long. */
async function waitUnasked(driver: Driver, group: Group): Promise<void> {
  const held = await driver.start(ask(driver, group, 'hold-unasked', { onCapacityLimit: 'reject' }));
  const queued = await driver.startOnce(ask(driver, group, 'queue-unasked', { onCapacityLimit: 'queue' }));
  const [holding, waiting] = [held, queued].map(acceptedExecutionId);
  await follow(driver, [holding]);
  if (holding !== undefined && waiting !== undefined) await driver.pause(driver.patienceMs);
  await follow(driver, [waiting]);
}

/** Whatever has ended, or was refused, holds no profile any more. */
async function useAgain(driver: Driver, group: Group): Promise<void> {
  const { fails, pauses } = driver.facts.workflows;
  const again = async (step: string, workflow: string | undefined) => {
    const started = await driver.start(ask(driver, group, step, { onCapacityLimit: 'reject' }, workflow));
    await follow(driver, [acceptedExecutionId(started)]);
    if (!refused(started)) return;
    // Whether it is the group that is full, or the organization.
    const elsewhere = ask(driver, group, `${step}-elsewhere`, { profileGroupId: undefined }, workflow);
    await follow(driver, [acceptedExecutionId(await driver.startOnce(elsewhere))]);
  };
  if (await pausesEnd(driver)) await again('free-after-queue', pauses);
  await together(Array.from({ length: Math.min(group.size, 3) }, (_, n) => again(`free-${n + 1}`, fails)));
}

/** Whether the run that pauses was seen to end by itself: another one would hold its profile for ever. */
async function pausesEnd(driver: Driver): Promise<boolean> {
  const started = driver.heard('run-pauses', 'start');
  const id = started && acceptedExecutionId(started);
  if (id === undefined) return false;
  const [reading] = await look(driver, [id]);
  return isTerminal((reading && readingOf(reading)?.status) ?? '');
}

/** One after the other has its turn: the more stand before an execution, the longer it may wait. */
const follow = (driver: Driver, executions: readonly (string | undefined)[]): Promise<void> =>
  together(
    executions.map((id, place) => id !== undefined && driver.follow(id, 'its end', undefined, { turns: place + 1 })),
  );
