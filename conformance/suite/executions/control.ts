/** Tries every operation that changes or ends a running execution, if the contract has any. */
import { isTerminal } from '../../../generated/lifecycle.js';
import {
  type Operation,
  type OperationId,
  type OperationWith,
  operationIds,
  operations,
} from '../../../generated/operations.js';
import { answerBody, removes, startedId } from '../../engine/outcome/read.js';
import type { Driver, Journey } from '../driver.js';
import { sendWrongBodies, withWrongBodies, wrongBodySteps } from '../errors/wrong-bodies.js';
import { marked, softTimeout, validBody } from '../starts/requests.js';
import { ownRules } from './own-rules.js';
import type { StartingStep, StartingStepSpec } from './steps.js';

type Steering = OperationWith<{ resource: 'execution'; subject: 'execution'; effect: 'changes' | 'ends' }>;

/** A run that is long enough to be changed while it runs. */
const needs = ['workflows.slow'] as const;

const rulesOf = (asked: OperationId) => ownRules<Steering, typeof needs>(asked, needs);

const withEffect = (effect: Operation['effect']): readonly OperationId[] =>
  operationIds.filter((id) => {
    const { resource, subject, effect: own, pathParameters }: Operation = operations[id];
    return resource === 'execution' && subject === 'execution' && own === effect && pathParameters.length === 1;
  });

/** The operations for each execution, in the contract's order: all that change it, and one that ends it. */
const [end = [], ...ends] = withEffect('ends').map((id) => [id]);
const courses = [[...withEffect('changes'), ...end], ...ends].filter(({ length }) => length > 0);

/** All operations that are sent here. */
export const steered: readonly OperationId[] = courses.flat();

const idOf = (course: readonly OperationId[]): string => `steer-${course.at(-1)}`;

export const controlJourneys: readonly Journey[] = courses.map((course) => ({
  id: idOf(course),
  effect: 'execute',
  needs,
  steps: { ...wrongBodySteps, ...Object.fromEntries(course.map((operation) => [operation, rulesOf(operation)])) },
  async run(driver) {
    if (!driver.mayStart(`${idOf(course)}/start` as StartingStep)) return;
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

/** Every operation is tried, even if no rule is about it alone. */
export const controlSteps = courses.map((course) => ({
  step: `${idOf(course)}/start` as `steer-${Steering}/start`,
  serves: ['response-matches-schema' as const, ...course.flatMap(rulesOf)],
})) satisfies readonly StartingStepSpec[];
