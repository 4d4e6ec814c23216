/** Tries every further operation that starts an execution, of a workflow or of another execution, if there are any. */
import {
  type Operation,
  type OperationId,
  type OperationWith,
  operationIds,
  operations,
} from '../../../generated/operations.js';
import { startedId } from '../../engine/outcome/read.js';
import type { Journey } from '../driver.js';
import { sendWrongBodies, withWrongBodies, wrongBodySteps } from '../errors/wrong-bodies.js';
import { placeOf } from '../known-places.js';
import { startOperations, validBody } from '../starts/requests.js';
import { ownRules } from './own-rules.js';
import type { StartingStep, StartingStepSpec } from './steps.js';

type Other = Exclude<OperationWith<{ effect: 'starts'; resource: 'execution' }>, (typeof startOperations)[number]>;

const isOther = (operation: OperationId): operation is Other => {
  const { effect, resource, subject, pathParameters }: Operation = operations[operation];
  return (
    effect === 'starts' &&
    resource === 'execution' &&
    (subject === 'execution' || subject === 'workflow') &&
    pathParameters.length === 1 &&
    !startOperations.some((one) => one === operation)
  );
};

export const otherStarts: readonly Other[] = operationIds.filter(isOther);

const needs = ['workflows.completes'] as const;
const rulesOf = (asked: OperationId) => ownRules<Other, typeof needs>(asked, needs);

const idOf = (operation: Other): string => `start-by-${operation}`;

/** Each is asked of an execution of the run that has ended, or of its workflow, and what it starts is followed. */
export const otherStartJourneys: readonly Journey[] = otherStarts.map((operation) => ({
  id: idOf(operation),
  effect: 'execute',
  needs,
  after: ['start'],
  steps: wrongBodySteps,
  async run(driver) {
    const place = placeOf(driver, operation);
    if (!place || !driver.mayStart(`${idOf(operation)}/start` as StartingStep)) return;
    const body = validBody(operation);
    const started = await driver.start({ step: 'start', operation, ...place, ...(body && { body }) });
    const executionId = startedId(started);
    if (executionId !== undefined) await driver.follow(executionId, 'completed');
    if (withWrongBodies.includes(operation)) await sendWrongBodies(driver, { operation, ...place });
  },
}));

/** Every operation is tried, even if no rule is about it alone. */
export const otherStartSteps = otherStarts.map((operation) => ({
  step: `${idOf(operation)}/start` as `start-by-${Other}/start`,
  serves: ['response-matches-schema' as const, ...rulesOf(operation)],
})) satisfies readonly StartingStepSpec[];
