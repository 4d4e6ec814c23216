/**
 * Tries the operations that no journey of their own sends, if the contract has any: all that change or end a running
 * execution, and all others that start one, of a workflow or of another execution.
 */
import { isTerminal } from '../../../generated/lifecycle.js';
import {
  type Operation,
  type OperationId,
  type OperationWith,
  operationIds,
  operations,
} from '../../../generated/operations.js';
import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { answerBody, removes, startedId } from '../../engine/outcome/read.js';
import type { Driver, Journey } from '../driver.js';
import { sendWrongBodies, withWrongBodies, wrongBodySteps } from '../errors/wrong-bodies.js';
import { placeOf } from '../known-places.js';
import { marked, softTimeout, startOperations, validBody } from '../starts/requests.js';
import type { StartingStep, StartingStepSpec } from './steps.js';

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

export const controlJourneys: readonly Journey[] = courses.map((course) => ({
  id: courseId(course),
  effect: 'execute',
  needs: steering,
  steps: { ...wrongBodySteps, ...Object.fromEntries(course.map((operation) => [operation, ofSteering(operation)])) },
  async run(driver) {
    if (!driver.mayStart(`${courseId(course)}/start` as StartingStep)) return;
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
export const otherStartJourneys: readonly Journey[] = otherStarts.map((operation) => ({
  id: startId(operation),
  effect: 'execute',
  needs: starting,
  after: ['start'],
  steps: wrongBodySteps,
  async run(driver) {
    const place = placeOf(driver, operation);
    if (!place || !driver.mayStart(`${startId(operation)}/start` as StartingStep)) return;
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
