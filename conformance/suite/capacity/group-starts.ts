/** What is asked of a profile group: its last profiles, and more than it has. */

import { accepted, type Fields, isWaitingStart, refused, startedId, status } from '../../engine/outcome/read.js';
import { saysTheSame } from '../../engine/outcome/when.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver } from '../driver.js';
import { freeFields, ifFull, roomField } from '../executions/view.js';
import { underOldNames, without } from '../starts/asked.js';
import { briefly, marked, softTimeout, startOperations } from '../starts/requests.js';
import { type Group, saysFull } from './view.js';

/** For so long after room was made, nobody polls what is queued: it has to start by itself. */
export const noPollingMs = 300;

export const groupStart = (driver: Driver, group: Group, step: string, more: Fields, workflow = group.workflow) => ({
  step,
  operation: 'execute' as const,
  id: workflow,
  body: { profileGroupId: group.profileGroup, ...marked(driver, step), ...more },
});

export const holdingStart = (driver: Driver, group: Group, n: number) =>
  groupStart(driver, group, `hold-${n}`, ifFull('reject'));

/** Two starts ask for the last profile at the same time. */
export async function takeLast(driver: Driver, group: Group): Promise<(string | undefined)[]> {
  const last = holdingStart(driver, group, group.size);
  // One of them should be refused. A service may refuse both because of other executions.
  const rivals = await allOrThrow(
    [last, { ...last, step: 'rival', startsNothing: true }].map((one) =>
      driver.send({ ...one, mayBeOverLimit: true, withoutSpacing: true, ifRefused: 'excluded' }),
    ),
  );
  return rivals.filter(accepted).map(startedId);
}

export const firstQueued = 'queue-1';
/** Queues executions that will make room in each way in which a run can end; the last one under the deprecated names. */
export async function enqueue(driver: Driver, group: Group): Promise<string[]> {
  const { workflows } = driver.facts;
  const queued: string[] = [];
  for (const [step, hasOldNames, more, workflow] of [
    // For each property of a start, one with it waits before one without it, and one after: none may let it overtake.
    [firstQueued, false, { [freeFields.metadata]: undefined }, group.workflow],
    ['queue-cancelled', false, { inputs: undefined }, workflows.cancelled],
    // This one is asked for under the deprecated names too, so that they need no runs of their own.
    ['queue-fails', true, { executionOptions: softTimeout(driver, workflows.fails) }, workflows.fails],
    ['queue-deprecated', true, { head: true, [freeFields.metadata]: undefined }, group.workflow],
  ] as const) {
    if (workflow === undefined || !driver.mayStart(`capacity/${step}`)) continue;
    const present = groupStart(driver, group, step, { ...more, ...ifFull('queue') }, workflow);
    let asked = await askToWait(driver, hasOldNames ? { ...present, body: underOldNames(present.body) } : present);
    // Asking under the current names tells whether the deprecated ones were the reason.
    if (hasOldNames && refused(asked)) asked = await askToWait(driver, present);
    const executionId = startedId(asked);
    if (executionId !== undefined) queued.push(executionId);
  }
  return queued;
}

type StartAsk = Parameters<Driver['startOnce']>[0];

/**
 * Asks to be queued. A 429 may be a rate limit, which is waited for. It is an answer about capacity if the same start
 * without the group is accepted at once, and this one is refused again; or if that is refused too, but for another
 * reason, and this one as those that do not ask to wait.
 */
async function askToWait(driver: Driver, asked: StartAsk): Promise<Exchange> {
  const once = { ...asked, mayBeOverLimit: true };
  const isKnown = refusesToQueue(driver);
  const first = await driver.startOnce(once);
  if (status(first) !== overLimit || isKnown) return first;
  const body = without(asked.body as Fields, 'profileGroupId', roomField);
  const elsewhere = await driver.startOnce({ ...once, step: besideQueue, body, ifRefused: 'excluded' });
  if (accepted(elsewhere)) return driver.startOnce({ ...once, replaces: [first] });
  const isAnswer = refused(elsewhere) && !saysTheSame(elsewhere, first) && saysFull(driver.sent, first);
  return isAnswer ? first : driver.startOnce({ ...asked, replaces: [first] });
}

const overLimit = 429;
export const besideQueue = 'beside-queue';

/** Whether that is already known: one start beside the queue is enough. */
const refusesToQueue = (driver: Driver): boolean => {
  const [first, beside] = ([firstQueued, besideQueue] as const).map((step) => driver.lastAnswer(`capacity/${step}`));
  return first !== undefined && status(first) === overLimit && beside !== undefined && accepted(beside);
};

/** Asks for more before anything is queued: a service may refuse only while others wait. Its run would be short. */
export async function sendOverCapacityStart(driver: Driver, group: Group): Promise<() => Promise<unknown>> {
  const { publishedVersion: version, tempFile, workflows } = driver.facts;
  const { completes = group.workflow } = workflows;
  // The limit applies whatever else is asked for.
  const more = {
    ...(completes === workflows.completes && { version }),
    ...(tempFile && { tempFiles: [tempFile] }),
    executionOptions: softTimeout(driver, completes),
  };
  const full = 'every profile of the group in use, before anything waits';
  const asked = driver.runInParallel(
    driver.probe('over-capacity-is-rejected', full, lastHoldSteps(group), {
      ...groupStart(driver, group, 'over-default-sync', { ...more, ...briefly('executeSync') }, completes),
      operation: 'executeSync',
      observes: ['over-capacity-status'],
      mayBeOverLimit: true,
    }),
  );
  // The runs that fill the group are short, so do not wait for a call that is not refused.
  await Promise.race([asked, driver.pause(noPollingMs / 4)]);
  return () => asked;
}

/** Sends what must be refused while the group is full. Reads what fills it, to know that it is still full. */
export async function sendOverCapacityStarts(
  driver: Driver,
  group: Group,
  holding: readonly (string | undefined)[],
): Promise<void> {
  const ids = holding.filter((id) => id !== undefined);
  const lookAtHeld = () =>
    allOrThrow(ids.map((id) => driver.send({ step: 'read-held', operation: 'getExecution', id })));
  const [soon, late] = startOperations.map((operation) => allOrThrow(tooMany(driver, group, operation)));
  let isOver = false;
  const over =
    late &&
    driver.runInParallel(
      late.finally(() => {
        isOver = true;
      }),
    );
  await soon;
  await lookAtHeld();
  await Promise.race([over, driver.pause(noPollingMs)]);
  // A synchronous start that was not refused is still waiting.
  if (!isOver) await lookAtHeld();
  await over;
}

type AtLimit = 'over-capacity-is-rejected' | 'deprecated-fields-still-work' | 'temp-files-are-never-queued';

function tooMany(
  driver: Driver,
  group: Group,
  operation: (typeof startOperations)[number],
): (Promise<unknown> | false | undefined)[] {
  const sync = isWaitingStart({ operation });
  const refuse = (rule: AtLimit, step: string, fault: string, more: Fields) =>
    driver.probe(rule, fault, rule === 'temp-files-are-never-queued' ? ['capacity/queue-1'] : lastHoldSteps(group), {
      ...groupStart(driver, group, sync ? `${step}-sync` : step, { ...briefly(operation), ...more }),
      operation,
      observes: [rule === 'temp-files-are-never-queued' ? 'queue-with-temp-files' : 'over-capacity-status'],
      mayBeOverLimit: true,
    });
  const full = 'every profile of the group in use';
  const { tempFile } = driver.facts;
  return [
    // The synchronous form was already sent before anything was queued.
    !sync && refuse('over-capacity-is-rejected', 'over-default', full, {}),
    refuse('over-capacity-is-rejected', 'over-reject', `${full}, ${roomField} reject`, {
      ...ifFull('reject'),
      // The limit applies to every version.
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
        `temp files with ${roomField} queue, every profile in use`,
        { ...ifFull('queue'), tempFiles: [tempFile] },
      ),
  ];
}

/** The steps one of which took the last profile. */
export const lastHoldSteps = ({ size }: Group) => [`capacity/hold-${size}`, 'capacity/rival'] as const;

/** Queues a synchronous start too. It is followed beside the scenario, as its answer comes after its wait. */
export function queueSync(driver: Driver, group: Group): void {
  if (!driver.mayStart('capacity/queue-sync')) return;
  const more = { ...ifFull('queue'), ...briefly('executeSync') };
  // A short workflow that is queued already, with another one in between: an order by workflow shows.
  const soonOver = groupStart(driver, group, 'queue-sync', more, driver.facts.workflows.cancelled);
  const asked = askToWait(driver, { ...soonOver, operation: 'executeSync' });
  void driver.runInParallel(asked.then((one) => followAll(driver, [startedId(one)])));
}

/** Follows executions to their ends; undefined stands for one that was not started. */
export async function followAll(driver: Driver, executions: readonly (string | undefined)[]): Promise<void> {
  await allOrThrow(executions.map((id) => id !== undefined && driver.follow(id, 'its end')));
}
