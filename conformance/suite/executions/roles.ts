import type { OperationId } from '../../../generated/operations.js';
import { accepted, answer, type Fields, refused, startedId } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Journey } from '../driver.js';
import { filesOf, mayBeOf } from '../files/view.js';
import { marked, softTimeout } from '../starts/requests.js';
import { afterEnd } from '../starts/start.js';
import type { WorkflowRole } from '../target/roles.js';
import type { StartingStep } from './steps.js';
import { isStop } from './view.js';

type Start = Extract<OperationId, 'execute' | 'executeSync'>;

/** Long enough for a pause to be met, short enough not to hold up the run. A pause by the agent need not end the wait. */
const syncSeconds = (role: WorkflowRole): number => (role === 'pausesByAgent' ? 1 : 5);

interface Role {
  readonly role: Exclude<WorkflowRole, 'completes' | 'variantMode'>;
  readonly reaches: string;
  /** The calls that start one to see it, one after the other. */
  readonly starts: readonly [Start, ...Start[]];
}

/** What a run of the workflow does by itself. */
const roles: readonly Role[] = [
  { role: 'fails', reaches: 'failed', starts: ['executeSync'] },
  { role: 'cancelled', reaches: 'cancelled', starts: ['executeSync'] },
  { role: 'slow', reaches: 'completed', starts: ['execute'] },
  // What the one run left is not the other's.
  { role: 'writesFiles', reaches: 'completed', starts: ['execute', 'executeSync'] },
];

const stops: readonly Role[] = [
  { role: 'pauses', reaches: 'paused', starts: ['executeSync', 'execute'] },
  { role: 'awaitsConfirmation', reaches: 'awaiting_confirmation', starts: ['executeSync', 'execute'] },
  { role: 'pausesByAgent', reaches: 'paused_by_agent', starts: ['executeSync', 'execute'] },
];

/** A role has one of these steps or both; what is not in the list is never chosen. */
const stepOf = (role: Role['role'], operation: Start): StartingStep =>
  `run-${role}/${operation === 'execute' ? 'start' : 'sync'}` as StartingStep;

const journeyOf = ({ role, reaches, starts }: Role, after?: readonly Journey[]): Journey => ({
  id: `run-${role}`,
  effect: 'execute',
  needs: [`workflows.${role}`],
  ...(after ? { after: after.map(({ id }) => id) } : { first: true }),
  ...(role === 'slow' && {
    steps: { 'read-while-running-none': ['missing-key-is-401'], 'read-while-running-invalid': ['invalid-key-is-401'] },
  }),
  async run(driver) {
    let before: Exchange | undefined;
    for (const operation of starts.filter((one) => driver.starts(stepOf(role, one)))) {
      if (before && !(await isFollowed(driver, before, reaches))) return;
      before = await runOnce(driver, role, reaches, operation);
    }
  },
});

export const roleJourneys: readonly Journey[] = roles.map((role) => journeyOf(role));

/** Runs that stop, one after the other: each may hold its place for ever. */
export function stopJourneys(after: readonly Journey[]): readonly Journey[] {
  const all: Journey[] = [];
  for (const role of stops) all.push(journeyOf(role, [...after, ...all]));
  return all;
}

/** How long it is looked whether what has stopped goes on by itself. */
const stopLooksMs = [500, 1000, 2000];

/** Whether a second run tells more: not where the first was refused, and not where it has stopped for good, and so would it. */
async function isFollowed(driver: Driver, started: Exchange, reaches: string): Promise<boolean> {
  const id = startedId(started);
  if (!isStop(reaches)) return accepted(started);
  // A call may be refused for what became of its run: an asynchronous start tells.
  if (id === undefined) return true;
  for (const ms of stopLooksMs) {
    const reading = await driver.send({ step: 'read-when-stopped', operation: 'getExecution', id });
    if (answer(reading)?.status !== reaches) return true;
    await driver.pause(ms);
  }
  return false;
}

/**
 * What a run is given. One gets nothing, which is something to give as well; and two, that begin at once as others do, say
 * that they would wait.
 */
function given(driver: Driver, role: WorkflowRole, operation: Start, step: string): Fields {
  if (role === 'pausesByAgent' && operation === 'execute') return { inputs: {}, metadata: {} };
  return { ...marked(driver, step), ...(waiting.includes(role) && { onCapacityLimit: 'queue' }) };
}

const strangers = [
  ['missing-key-is-401', 'none', 'no key'],
  ['invalid-key-is-401', 'invalid', 'a wrong key'],
] as const;

const waiting: readonly WorkflowRole[] = ['slow', 'writesFiles'];

/** The start, whatever came of it. */
async function runOnce(driver: Driver, role: WorkflowRole, reaches: string, operation: Start): Promise<Exchange> {
  const step = operation === 'execute' ? 'start' : 'sync';
  const started = await driver.start({
    step,
    operation,
    id: driver.id(driver.facts.workflows[role]),
    body: {
      ...given(driver, role, operation, step),
      // Whatever it is given, nobody waits for its end.
      ...(role === 'slow' && { executionOptions: softTimeout(driver) }),
      ...(operation === 'executeSync' && { timeoutSeconds: syncSeconds(role) }),
    },
    ...(operation === 'executeSync' && role === 'pauses' && { observes: ['sync-returns-on-pause'] as const }),
  });
  const executionId = startedId(started);
  if (executionId === undefined) {
    // Refused for what it is, or for what became of the run: an asynchronous start tells, where there is none anyway.
    if (
      operation === 'executeSync' &&
      refused(started) &&
      !roles.some((one) => one.role === role && one.starts.includes('execute'))
    )
      await runOnce(driver, role, reaches, 'execute');
    return started;
  }
  // What is listed now must not be all that is ever listed.
  if (role === 'writesFiles' && operation === 'execute')
    await driver.send({ step: 'list-at-once', operation: 'listExecutionFiles', id: executionId });
  if (role === 'slow') {
    await driver.follow(executionId, 'running', (seen) => seen === 'running');
    await driver.send({ step: 'list-while-running', operation: 'listExecutionFiles', id: executionId });
    // Nor does anybody without a right to know watch what is going on.
    for (const [rule, credential, fault] of strangers)
      await driver.probe(rule, fault, [`run-${role}/read`], {
        step: `read-while-running-${credential}`,
        operation: 'getExecution',
        id: executionId,
        credential,
      });
  }
  if (answer(started)?.status !== reaches || operation === 'execute') {
    // What a duration has to be is told by how long the longest run was seen to run.
    const how = role === 'slow' ? { growth: 1.1 } : {};
    if (!(await driver.follow(executionId, reaches, (seen) => seen === reaches, how))) return started;
  }
  if (role === 'fails' || role === 'cancelled')
    await allOrThrow([afterEnd(driver, executionId), watchEnd(driver, executionId)]);
  else if (isStop(reaches)) {
    if (operation === 'execute')
      await driver.send({ step: 'list-when-stopped', operation: 'listExecutionFiles', id: executionId });
    // What has stopped is not over when it was told of, nor listed.
    await driver.send({ step: 'read-when-stopped', operation: 'getExecution', id: executionId });
  }
  if (role === 'writesFiles') {
    if (operation === 'executeSync') await driver.send({ step: 'read', operation: 'getExecution', id: executionId });
    await driver.pollUntil(
      { step: 'list', operation: 'listExecutionFiles', id: executionId },
      (listing) => filesOf(listing).some((file) => mayBeOf(executionId, file)),
      driver.executions.patienceMs(executionId),
    );
  }
  return started;
}

/** How often an end is looked at, and how long nobody looks between: whatever leaves it for half a second is seen. */
const looks = 8;
const betweenLooksMs = 400;

/** Looks at an end for a while, once no replica can be behind with it any more. */
async function watchEnd(driver: Driver, id: string): Promise<void> {
  if (!driver.facts.stateful) return;
  await driver.pause(behindMs);
  for (let look = 0; look < looks; look += 1) {
    await driver.pause(betweenLooksMs);
    await driver.send({ step: 'watch-end', operation: 'getExecution', id });
  }
}
