/** Runs of the workflows that have a role: they fail, are cancelled, stop, take long, or write files. */

import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import {
  type Operation,
  type OperationId,
  type OperationWith,
  operationIds,
  operations,
} from '../../../generated/operations.js';
import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import {
  accepted,
  answerBody,
  awaits,
  type Fields,
  isWaitingStart,
  refused,
  removes,
  startedId,
} from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { sendWrongBodies, withWrongBodies, wrongBodySteps } from '../errors/invalid.js';
import { filesOf, mayBeOf } from '../files/view.js';
import { wrongKeys } from '../keys/headers.js';
import { placeOf } from '../known-places.js';
import { leastWaitSeconds, startsAtOnce } from '../operations.js';
import { marked, softTimeout, startOperations, validBody } from '../starts/requests.js';
import { afterEnd } from '../starts/start.js';
import { finalStatusOf, type WorkflowRole } from '../target/roles.js';
import type { StartingStep, StartingStepSpec } from './steps.js';
import { free, ifFull } from './view.js';

type Start = Extract<OperationId, 'execute' | 'executeSync'>;

/** Long enough to see a pause, short enough not to hold up the run. A pause by the agent need not end the wait. */
const syncSeconds = (role: WorkflowRole): number => Math.max(leastWaitSeconds, role === 'pausesByAgent' ? 1 : 5);

type Role = Exclude<WorkflowRole, 'completes' | 'variantMode'>;

/** The calls that start runs of each role, one after the other. */
const startsOf: Readonly<Record<Role, readonly [Start, ...Start[]]>> = {
  fails: ['executeSync'],
  cancelled: ['executeSync'],
  slow: ['execute'],
  // Two runs, to see that the files of one are not listed for the other.
  writesFiles: ['execute', 'executeSync'],
  pauses: ['executeSync', 'execute'],
  awaitsConfirmation: ['executeSync', 'execute'],
  pausesByAgent: ['executeSync', 'execute'],
};

const roles = Object.keys(startsOf) as Role[];
const stops = (role: Role): boolean => isStopped(finalStatusOf[role]);

/** A role has one or both of these steps. A step that is not in the list is never chosen. */
const stepOf = (role: Role, operation: Start): StartingStep =>
  `run-${role}/${startsAtOnce({ operation }) ? 'start' : 'sync'}` as StartingStep;

/** What waits for an execution. One that has ended is answered at once, one that goes on when the time is up. */
const waiting = operationIds.filter((operation) => awaits({ operation }));
const shortWait = (operation: OperationId) => ({ [(operations[operation] as Operation).waits?.name ?? '']: '1' });

const scenarioOf = (role: Role, after?: readonly Scenario[]): Scenario => ({
  id: `run-${role}`,
  sends: [...startsOf[role], 'getExecution', 'listExecutionFiles', ...(role === 'slow' ? waiting : [])],
  requests: 10,
  effect: 'execute',
  needs: [`workflows.${role}`],
  ...(after ? { after: after.map(({ id }) => id) } : { first: true }),
  ...(role === 'slow' && {
    steps: {
      'read-while-running-none': ['missing-key-is-401'],
      'read-while-running-invalid': ['invalid-key-is-401'],
      ...(waiting.length > 0 && {
        'wait-*': ['sync-202-means-not-finished', 'sync-wait-is-bounded'],
        'end-*': ['sync-200-means-terminal'],
      }),
    },
  }),
  async run(driver): Promise<void> {
    let before: Exchange | undefined;
    for (const operation of startsOf[role].filter((one) => driver.mayStart(stepOf(role, one)))) {
      if (before && !(await isFollowed(driver, before, role))) return;
      before = await runOnce(driver, role, operation);
    }
  },
});

/** Runs that come to an end by themselves. */
export const roleScenarios: readonly Scenario[] = roles.filter((role) => !stops(role)).map((role) => scenarioOf(role));

/** Runs that stop, one after the other, because each may hold its place for good. */
export function stopScenarios(after: readonly Scenario[]): readonly Scenario[] {
  const all: Scenario[] = [];
  for (const role of roles.filter(stops)) all.push(scenarioOf(role, [...after, ...all]));
  return all;
}

/** A remark on workflows that are declared and not started, because each run would hold its place. */
export function heldBackRemarks(
  { stateful }: Facts,
  scenarios: readonly Scenario[],
  starts: ReadonlySet<string>,
): string[] {
  const heldBack = roles
    .filter(stops)
    .filter((role) => scenarios.some(({ id }) => id === `run-${role}`))
    .filter((role) => ![...starts].some((step) => step.startsWith(`run-${role}/`)));
  if (!stateful || heldBack.length === 0) return [];
  const names = heldBack.map((role) => `workflows.${role}`).join(', ');
  return [
    `Not started: ${names}. An execution that stops keeps its place until it is resumed. To start one of each, set hooks.cancelExecution or hooks.resumeExecution; to start all, --max-executions 60.`,
  ];
}

/** Pauses between readings that look whether a stopped execution goes on by itself. */
const stopLooksMs = [500, 1000, 2000];

/** Whether a second run is worth it: not if the first was refused, or has stopped for good, as the second would. */
async function isFollowed(driver: Driver, started: Exchange, role: Role): Promise<boolean> {
  const reaches = finalStatusOf[role];
  const id = startedId(started);
  if (!stops(role)) return accepted(started);
  // A synchronous call may be refused because of how its run ended. An asynchronous start tells.
  if (id === undefined) return true;
  for (const ms of stopLooksMs) {
    const reading = await driver.send({ step: 'read-when-stopped', operation: 'getExecution', id });
    if (answerBody(reading)?.status !== reaches) return true;
    await driver.pause(ms);
  }
  return false;
}

/**
 * What a run is given. One run gets nothing, to show that this works too. Two ask to be queued, though they begin at
 * once, like those that do not ask.
 */
function given(driver: Driver, role: WorkflowRole, operation: Start, step: string): Fields {
  if (role === 'pausesByAgent' && startsAtOnce({ operation })) return free({}, {});
  return { ...marked(driver, step), ...(queueing.includes(role) && ifFull('queue')) };
}

const queueing: readonly WorkflowRole[] = ['slow', 'writesFiles'];

/** Starts one and follows it. Resolves to the start, whatever came of it. */
async function runOnce(driver: Driver, role: Role, operation: Start): Promise<Exchange> {
  const reaches = finalStatusOf[role];
  const step = startsAtOnce({ operation }) ? 'start' : 'sync';
  const started = await driver.start({
    step,
    operation,
    id: driver.id(driver.facts.workflows[role]),
    body: {
      ...given(driver, role, operation, step),
      // A soft timeout changes nothing for the suite: nobody waits for the end of this run.
      ...(role === 'slow' && { executionOptions: softTimeout(driver, driver.facts.workflows.slow) }),
      ...(isWaitingStart({ operation }) && { timeoutSeconds: syncSeconds(role) }),
    },
    ...(isWaitingStart({ operation }) && role === 'pauses' && { observes: ['sync-returns-on-pause'] as const }),
  });
  const executionId = startedId(started);
  if (executionId === undefined) {
    // The start, or only how its run ended, was refused. If no asynchronous start is planned, try one to find out.
    if (isWaitingStart({ operation }) && refused(started) && (stops(role) || !startsOf[role].includes('execute')))
      await runOnce(driver, role, 'execute');
    return started;
  }
  // More files must be listed later than now.
  if (role === 'writesFiles' && startsAtOnce({ operation }))
    await driver.send({ step: 'list-at-once', operation: 'listExecutionFiles', id: executionId });
  if (role === 'slow') {
    for (const operation of waiting)
      await driver.send({ step: `wait-${operation}`, operation, id: executionId, query: shortWait(operation) });
    await driver.follow(executionId, 'running', (seen) => seen === 'running');
    await driver.send({ step: 'list-while-running', operation: 'listExecutionFiles', id: executionId });
    // Nor may anybody without a key read a running execution.
    for (const [rule, credential, fault] of wrongKeys)
      await driver.probe(rule, fault, [`run-${role}/read`], {
        step: `read-while-running-${credential}`,
        operation: 'getExecution',
        id: executionId,
        credential,
      });
  }
  if (answerBody(started)?.status !== reaches || startsAtOnce({ operation })) {
    // Poll more often: `duration` is judged by how long this, the longest run, was seen running.
    const how = role === 'slow' ? { growth: 1.1 } : {};
    if (!(await driver.follow(executionId, reaches, (seen) => seen === reaches, how))) return started;
    if (role === 'slow')
      for (const operation of waiting) await driver.send({ step: `end-${operation}`, operation, id: executionId });
  }
  if (role === 'fails' || role === 'cancelled')
    await allOrThrow([afterEnd(driver, executionId), watchEnd(driver, executionId)]);
  else if (stops(role)) {
    if (startsAtOnce({ operation }))
      await driver.send({ step: 'list-when-stopped', operation: 'listExecutionFiles', id: executionId });
    // A stopped execution must not show an end here, after the start and the list.
    await driver.send({ step: 'read-when-stopped', operation: 'getExecution', id: executionId });
  }
  if (role === 'writesFiles') {
    if (isWaitingStart({ operation })) await driver.send({ step: 'read', operation: 'getExecution', id: executionId });
    const list = { step: 'list', operation: 'listExecutionFiles', id: executionId } as const;
    const isListed = (listing: Exchange) => filesOf(listing).some((file) => mayBeOf(executionId, file));
    await driver.pollUntil(list, isListed, driver.executions.patienceMs(executionId));
    // Each listing must be alike, also later ones.
    await driver.send(list);
  }
  return started;
}

/** How often and how far apart an end is read: a status that changes for half a second is seen. */
const looks = 8;
const betweenLooksMs = 400;

/** Reads an end repeatedly, once no replica can be behind any more. */
async function watchEnd(driver: Driver, id: string): Promise<void> {
  if (!driver.facts.stateful) return;
  await driver.pause(replicaLagMs);
  for (let look = 0; look < looks; look += 1) {
    await driver.pause(betweenLooksMs);
    await driver.send({ step: 'watch-end', operation: 'getExecution', id });
  }
}

// Tries the operations that no scenario of their own sends, if the contract has any: all that change or end a running
// execution, and all others that start one, of a workflow or of another execution.

type Steering = OperationWith<{ resource: 'execution'; subject: 'execution'; effect: 'changes' | 'ends' }>;
type Other = Exclude<OperationWith<{ effect: 'starts'; resource: 'execution' }>, (typeof startOperations)[number]>;

/** The operations on executions with one id in their path, in the contract's order. */
const ofOne = operationIds.filter((id) => {
  const { resource, pathParameters }: Operation = operations[id];
  return resource === 'execution' && pathParameters.length === 1;
});

const withEffect = (effect: Operation['effect']): readonly OperationId[] =>
  ofOne.filter((id) => {
    const { subject, effect: own }: Operation = operations[id];
    return subject === 'execution' && own === effect;
  });

/** What is sent to each execution: all that changes it, and one that ends it. */
const [end = [], ...ends] = withEffect('ends').map((id) => [id]);
const courses = [[...withEffect('changes'), ...end], ...ends].filter(({ length }) => length > 0);

/** All operations that change or end an execution. */
export const steered: readonly OperationId[] = courses.flat();

export const otherStarts: readonly Other[] = ofOne.filter((operation): operation is Other => {
  const { effect, subject }: Operation = operations[operation];
  const isOfOne = subject === 'execution' || subject === 'workflow';
  return effect === 'starts' && isOfOne && !startOperations.some((one) => one === operation);
});

/** What is steered has to be long enough to be changed while it runs. */
const steering = ['workflows.slow'] as const;
const starting = ['workflows.completes'] as const;

const courseId = (course: readonly OperationId[]): string => `steer-${course.at(-1)}`;
const startId = (operation: Other): string => `start-by-${operation}`;

export const controlScenarios: readonly Scenario[] = courses.map((course) => ({
  id: courseId(course),
  sends: ['execute', 'getExecution', ...course],
  begins: `${courseId(course)}/start`,
  effect: 'execute',
  needs: steering,
  steps: { ...wrongBodySteps, ...Object.fromEntries(course.map((operation) => [operation, ofSteering(operation)])) },
  async run(driver): Promise<void> {
    const started = await driver.start({
      step: 'start',
      operation: 'execute',
      id: driver.id(driver.facts.workflows.slow),
      body: { ...marked(driver, 'start'), executionOptions: softTimeout(driver, driver.facts.workflows.slow) },
    });
    const id = startedId(started);
    if (id === undefined) return;
    await driver.follow(id, 'running', (seen) => seen === 'running');
    for (const operation of course) {
      // First, because what was ended or stopped may refuse whatever is sent.
      if (withWrongBodies.includes(operation)) await sendWrongBodies(driver, { operation, id });
      await steer(driver, operation, id);
    }
  },
}));

/** Sends the operation, and reads the execution until it shows what was answered; only once if it was removed. */
async function steer(driver: Driver, operation: OperationId, id: string): Promise<void> {
  const { effect } = operations[operation] as Operation;
  const body = validBody(operation);
  const asked = await driver.send({ step: operation, operation, id, ...(body && { body }) });
  if (removes(asked)) {
    await driver.send({ step: 'read-when-gone', operation: 'getExecution', id });
    return;
  }
  const told = answerBody(asked)?.status;
  const done = (seen: string) => (effect === 'ends' ? isTerminal(seen) : typeof told !== 'string' || seen === told);
  await driver.follow(id, typeof told === 'string' ? told : `what comes of ${operation}`, done);
}

/** Each is asked of an execution of the run that has ended, or of its workflow, and what it starts is followed. */
export const otherStartScenarios: readonly Scenario[] = otherStarts.map((operation) => ({
  id: startId(operation),
  sends: [operation, 'getExecution'],
  begins: `${startId(operation)}/start`,
  effect: 'execute',
  needs: starting,
  after: ['start'],
  steps: wrongBodySteps,
  async run(driver): Promise<void> {
    const place = placeOf(driver, operation);
    if (!place) return;
    const body = validBody(operation);
    const started = await driver.start({ step: 'start', operation, ...place, ...(body && { body }) });
    await driver.followStarted(started);
    if (withWrongBodies.includes(operation)) await sendWrongBodies(driver, { operation, ...place });
  },
}));

/** Every operation is tried, even if no rule is about it alone. */
const anyway = 'response-matches-schema' as const;

const controlSteps = courses.map((course) => ({
  step: `${courseId(course)}/start` as `steer-${Steering}/start`,
  of: 'slow' as const,
  serves: [anyway, ...course.flatMap(ofSteering)],
})) satisfies readonly StartingStepSpec[];

const otherStartSteps = otherStarts.map((operation) => ({
  step: `${startId(operation)}/start` as `start-by-${Other}/start`,
  serves: [anyway, ...ownRules<Other, typeof starting>(operation, starting)],
})) satisfies readonly StartingStepSpec[];

/** The steps that come from the traits of operations. */
export const derivedSteps = [...controlSteps, ...otherStartSteps] as const;

function ofSteering(asked: OperationId) {
  return ownRules<Steering, typeof steering>(asked, steering);
}

/** The rules on one of these operations that need nothing but what its run needs: it is sent for them by itself. */
type OwnRule<On extends OperationId, Needs extends readonly string[]> = Own<(typeof rules)[number], On, Needs>;
type Own<Of, On, Needs> = Of extends {
  readonly id: infer Id extends RuleId;
  readonly on: readonly (infer Which)[];
  readonly effect: 'execute';
  readonly needs: Needs;
}
  ? [Extract<Which, On>] extends [never]
    ? never
    : Id
  : never;

function ownRules<On extends OperationId, Needs extends readonly string[]>(
  asked: OperationId,
  needs: Needs,
): OwnRule<On, Needs>[] {
  return rules
    .filter(
      ({ on, effect, needs: needed }: Rule) => effect === 'execute' && on.includes(asked) && `${needed}` === `${needs}`,
    )
    .map(({ id }) => id as OwnRule<On, Needs>);
}
