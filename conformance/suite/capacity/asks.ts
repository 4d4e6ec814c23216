/** What is asked of a profile group: for its last profiles, and for more than it has. */
import { accepted, type Fields, refused, startedId, status } from '../../engine/outcome/read.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver } from '../driver.js';
import { anySoftTimeout, both, softTimeout } from '../starts/requests.js';

export type Group = NonNullable<Facts['capacity']>;

/** Nobody asks for what is queued for so long after room was made: it has to start by itself. */
export const quietMs = 300;

export const holdSteps = ({ size }: Group): string[] => Array.from({ length: size }, (_, index) => `hold-${index + 1}`);

/** There is no time to find out what a service or a firewall takes in free fields: plain texts. */
const plainly = (driver: Driver, step: string) => {
  const metadata = { conformanceMarker: driver.unique(step) };
  const inputs = { ...metadata, note: 'plain' };
  return { inputs, metadata };
};

export const ask = (driver: Driver, group: Group, step: string, more: Fields, workflow = group.workflow) => ({
  step,
  operation: 'execute' as const,
  id: workflow,
  body: { profileGroupId: group.profileGroup, ...plainly(driver, step), ...more },
});

export const hold = (driver: Driver, group: Group, n: number) =>
  ask(driver, group, `hold-${n}`, { onCapacityLimit: 'reject' });

/** Two ask for the last profile at the same time. */
export async function takeLast(driver: Driver, group: Group): Promise<(string | undefined)[]> {
  const last = hold(driver, group, group.size);
  const rivals = await allOrThrow(
    [last, { ...last, step: 'rival', startsNothing: true }].map((one) =>
      driver.send({ ...one, mayBeOverLimit: true, atOnce: true }),
    ),
  );
  // One of them is to be refused; a service may refuse both for the sake of other executions.
  for (const rival of rivals) if (!accepted(rival)) driver.exclude(rival);
  return rivals.filter(accepted).map(startedId);
}

export const firstQueued = 'queue-1';

/**
 * Queues, in turn, what makes room in each way in which a run ends; the last under the deprecated names. `steps`: which of
 * them.
 */
export async function enqueue(driver: Driver, group: Group, steps: (step: string) => boolean): Promise<string[]> {
  const { workflows } = driver.facts;
  const deprecated = {
    profileGroupId: undefined,
    agentProfilePoolId: group.profileGroup,
    inputs: undefined,
    dynamicData: plainly(driver, 'queue-deprecated').inputs,
  };
  const queued: string[] = [];
  for (const [step, names, more, workflow] of [
    // Of whatever one has and another has not, somebody has it before and somebody after who has not: none of it lets by.
    [firstQueued, {}, { metadata: undefined }, group.workflow],
    // Its room is asked for under the deprecated names: what waits and what fails is no run of their own.
    ['queue-fails', deprecated, { executionOptions: anySoftTimeout(driver) }, workflows.fails],
    ['queue-cancelled', {}, { inputs: undefined }, workflows.cancelled],
    ['queue-deprecated', deprecated, { head: true, metadata: undefined }, group.workflow],
  ] as const) {
    if (workflow === undefined || !steps(step) || !driver.starts(`capacity/${step}`)) continue;
    const under = (these: Fields) =>
      askToWait(driver, ask(driver, group, step, { ...these, ...more, onCapacityLimit: 'queue' }, workflow));
    let asked = await under(names);
    // Whether it was refused for the deprecated names, those of today tell.
    if ('dynamicData' in names && refused(asked)) asked = await under({});
    const executionId = startedId(asked);
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
  for (const one of [first, elsewhere]) if (refused(one)) driver.exclude(one);
  return again ?? driver.startOnce(asked);
}

const overLimit = 429;
export const besideQueue = 'beside-queue';

/** Whether it was found before: one start beside the queue tells for all. */
const refusesToQueue = (driver: Driver): boolean => {
  const [first, beside] = ['queue-1', besideQueue].map((step) => driver.lastAnswer('capacity', step));
  return first !== undefined && status(first) === overLimit && beside !== undefined && accepted(beside);
};

export const over = ['over-default', 'over-reject', 'over-deprecated', 'queue-temp-file'];

/** What is refused while others wait may be taken while nobody does. Its run is soon over, so that what it met is known. */
export async function askFirst(driver: Driver, group: Group): Promise<() => Promise<unknown>> {
  const { publishedVersion: version, tempFile, workflows } = driver.facts;
  const { completes = group.workflow } = workflows;
  // A limit is one whatever else is asked for.
  const more = {
    ...(completes === workflows.completes && { version }),
    ...(tempFile && { tempFiles: [tempFile] }),
    executionOptions: softTimeout(driver),
  };
  const full = 'every profile of the group in use, before anything waits';
  const asked = driver.beside(
    driver.probe('over-capacity-is-rejected', full, holds(group), {
      ...ask(driver, group, 'over-default-sync', { ...more, timeoutSeconds: 1 }, completes),
      operation: 'executeSync',
      observes: ['over-capacity-status'],
      mayBeOverLimit: true,
    }),
  );
  // What fills the group does not last: nobody waits for one that was not refused.
  await Promise.race([asked, driver.pause(quietMs / 4)]);
  return () => asked;
}

/** What has to be refused while the group is full; and a look at what fills it, which tells that it is full still. */
export async function askForMore(
  driver: Driver,
  group: Group,
  holding: readonly (string | undefined)[],
): Promise<void> {
  const ids = holding.filter((id) => id !== undefined);
  const lookAtHeld = () =>
    allOrThrow(ids.map((id) => driver.send({ step: 'read-held', operation: 'getExecution', id })));
  const [soon, late] = both.map((operation) => allOrThrow(tooMany(driver, group, operation)));
  let isOver = false;
  const over =
    late &&
    driver.beside(
      late.finally(() => {
        isOver = true;
      }),
    );
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
      observes: [rule === 'temp-files-are-never-queued' ? 'queue-with-temp-files' : 'over-capacity-status'],
      mayBeOverLimit: true,
    });
  const full = 'every profile of the group in use';
  const { tempFile } = driver.facts;
  return [
    // A call asked for as much before anything waited.
    !sync && refuse('over-capacity-is-rejected', 'over-default', full, {}),
    refuse('over-capacity-is-rejected', 'over-reject', `${full}, onCapacityLimit reject`, {
      onCapacityLimit: 'reject',
      // A limit is one for whatever runs.
      ...(!sync && { head: true }),
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
export const holds = ({ size }: Group) => [`capacity/hold-${size}`, 'capacity/rival'];

/** A synchronous start is queued as well, and followed to its end beside the journey; its answer comes when its wait is over. */
export function queueSync(driver: Driver, group: Group): void {
  if (!driver.starts('capacity/queue-sync')) return;
  const more = { onCapacityLimit: 'queue', timeoutSeconds: 1 };
  // As one that is queued asynchronously, and soon over.
  const soonOver = ask(driver, group, 'queue-sync', more, driver.facts.workflows.cancelled);
  const asked = askToWait(driver, { ...soonOver, operation: 'executeSync' });
  void driver.beside(asked.then((one) => followAll(driver, [startedId(one)])));
}

/** Follows executions to their ends; of what was not started there is none. */
export async function followAll(driver: Driver, executions: readonly (string | undefined)[]): Promise<void> {
  await allOrThrow(executions.map((id) => id !== undefined && driver.follow(id, 'its end')));
}
