import type { OperationId } from '../../../generated/operations.js';
import { answer, type Fields, refused, startedId } from '../../engine/outcome/read.js';
import { type Driver, type Journey, together } from '../driver.js';
import { filesOf, mayBeOf } from '../files/view.js';
import { marked, softTimeout } from '../starts/requests.js';
import { afterEnd } from '../starts/start.js';
import type { WorkflowRole } from '../target/facts.js';
import type { StartingStep } from './chosen.js';
import { isStop } from './view.js';

type Start = Extract<OperationId, 'execute' | 'executeSync'>;

/** Long enough for a pause to be met, short enough not to hold up the run. A pause by the agent need not end the wait. */
const syncSeconds = (role: WorkflowRole): number => (role === 'pausesByAgent' ? 1 : 5);

/** What a run of the workflow does by itself, and the calls that start one to see it. */
const roles: { role: Exclude<WorkflowRole, 'completes' | 'variantMode'>; reaches: string; starts: readonly Start[] }[] =
  [
    { role: 'fails', reaches: 'failed', starts: ['executeSync'] },
    { role: 'cancelled', reaches: 'cancelled', starts: ['executeSync'] },
    // A pause may be over before a synchronous call returns: an asynchronous run shows it.
    { role: 'pauses', reaches: 'paused', starts: ['execute', 'executeSync'] },
    { role: 'awaitsConfirmation', reaches: 'awaiting_confirmation', starts: ['execute', 'executeSync'] },
    { role: 'pausesByAgent', reaches: 'paused_by_agent', starts: ['execute', 'executeSync'] },
    { role: 'slow', reaches: 'completed', starts: ['execute'] },
    { role: 'writesFiles', reaches: 'completed', starts: ['execute', 'executeSync'] },
  ];

type Role = (typeof roles)[number]['role'];

/** `run-fails/start` does not exist, nor is it ever chosen: the step is one of those that a role has. */
const stepOf = (role: Role, operation: Start): StartingStep =>
  `run-${role}/${operation === 'execute' ? 'start' : 'sync'}` as StartingStep;

export const roleJourneys: Journey[] = roles.map(({ role, reaches, starts }) => ({
  id: `run-${role}`,
  effect: 'execute',
  needs: [`workflows.${role}`],
  first: true,
  async run(driver) {
    const asked = starts.filter((operation) => driver.starts(stepOf(role, operation)));
    if (role !== 'writesFiles') return together(asked.map((operation) => runOnce(driver, role, reaches, operation)));
    // What the one run left is not the other's.
    for (const operation of asked) await runOnce(driver, role, reaches, operation);
  },
}));

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

async function runOnce(driver: Driver, role: WorkflowRole, reaches: string, operation: Start): Promise<void> {
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
    ...(operation === 'executeSync' && role === 'pauses' && { asks: ['sync-returns-on-pause'] as const }),
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
    return;
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
    if (!(await driver.follow(executionId, reaches, (seen) => seen === reaches, how))) return;
  }
  if (role === 'fails' || role === 'cancelled') await afterEnd(driver, executionId);
  else if (isStop(reaches)) {
    if (operation === 'execute')
      await driver.send({ step: 'list-when-stopped', operation: 'listExecutionFiles', id: executionId });
    // What has stopped is not over when it was told of, nor listed.
    await driver.send({ step: 'read-when-stopped', operation: 'getExecution', id: executionId });
  }
  if (role === 'writesFiles') {
    if (operation === 'executeSync') await driver.send({ step: 'read', operation: 'getExecution', id: executionId });
    await driver.ask({ step: 'list', operation: 'listExecutionFiles', id: executionId }, (listing) =>
      filesOf(listing).some((file) => mayBeOf(executionId, file)),
    );
  }
}
