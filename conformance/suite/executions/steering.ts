/** What callers make of an execution that runs: each operation that changes or ends one is tried, whatever its name. */
import { isTerminal } from '../../../generated/lifecycle.js';
import {
  type Operation,
  type OperationId,
  type OperationWith,
  operationIds,
  operations,
} from '../../../generated/operations.js';
import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { answer, removes, startedId } from '../../engine/outcome/read.js';
import type { Driver, Journey } from '../driver.js';
import { marked, softTimeout, validBody } from '../starts/requests.js';
import type { Starting, StartingStep } from './steps.js';

type Steering = OperationWith<{ resource: 'execution'; subject: 'execution'; effect: 'changes' | 'ends' }>;

/** A run that is long enough to be met while it runs. */
const needs = ['workflows.slow'] as const;

/** The rules that such an operation has of its own, which need nothing but a run that it can meet. */
type SteeringRule = Own<(typeof rules)[number]>;
type Own<Of> = Of extends {
  readonly id: infer Id extends RuleId;
  readonly on: readonly (infer On)[];
  readonly effect: 'execute';
  readonly needs: typeof needs;
}
  ? [Extract<On, Steering>] extends [never]
    ? never
    : Id
  : never;

const rulesOf = (asked: OperationId): SteeringRule[] =>
  rules
    .filter(
      ({ on, effect, needs: needed }: Rule) => effect === 'execute' && on.includes(asked) && `${needed}` === `${needs}`,
    )
    .map(({ id }) => id as SteeringRule);

const withEffect = (effect: Operation['effect']): readonly OperationId[] =>
  operationIds.filter((id) => {
    const { resource, subject, effect: own, pathParameters }: Operation = operations[id];
    return resource === 'execution' && subject === 'execution' && own === effect && pathParameters.length === 1;
  });

/** What each execution is asked for, in the order of the contract: what changes it before what ends it, and each end of its own. */
const [end = [], ...ends] = withEffect('ends').map((id) => [id]);
const courses = [[...withEffect('changes'), ...end], ...ends].filter(({ length }) => length > 0);

const idOf = (course: readonly OperationId[]): string => `steer-${course.at(-1)}`;

export const steeringJourneys: readonly Journey[] = courses.map((course) => ({
  id: idOf(course),
  effect: 'execute',
  needs,
  steps: Object.fromEntries(course.map((operation) => [operation, rulesOf(operation)])),
  async run(driver) {
    if (!driver.starts(`${idOf(course)}/start` as StartingStep)) return;
    const started = await driver.start({
      step: 'start',
      operation: 'execute',
      id: driver.id(driver.facts.workflows.slow),
      body: { ...marked(driver, 'start'), executionOptions: softTimeout(driver) },
    });
    const id = startedId(started);
    if (id === undefined) return;
    await driver.follow(id, 'running', (seen) => seen === 'running');
    for (const operation of course) await steer(driver, operation, id);
  },
}));

/** Asks for it, and reads the execution until it is as the answer says; once, where it should not be there any more. */
async function steer(driver: Driver, operation: OperationId, id: string): Promise<void> {
  const { effect }: Operation = operations[operation];
  const body = validBody(operation);
  const asked = await driver.send({ step: operation, operation, id, ...(body && { body }) });
  if (removes(asked)) {
    await driver.send({ step: 'read-when-gone', operation: 'getExecution', id });
    return;
  }
  const told = answer(asked)?.status;
  const done = (seen: string) => (effect === 'ends' ? isTerminal(seen) : typeof told !== 'string' || seen === told);
  await driver.follow(id, typeof told === 'string' ? told : `what comes of ${operation}`, done);
}

/** Each of them is tried, also where no rule speaks of it alone. */
export const steered = courses.map((course) => ({
  step: `${idOf(course)}/start` as `steer-${Steering}/start`,
  serves: ['response-matches-schema' as const, ...course.flatMap(rulesOf)],
})) satisfies readonly Starting[];
