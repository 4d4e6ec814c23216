/** Workflows that a test brings along. */

import { UserError } from '../common/user-error.js';
import { isObject, isUuid } from '../common/values.js';
import { executionStatuses, isTerminal } from '../generated/lifecycle.js';
import type { ExecutionResult, ExecutionStatus, ScriptFailure } from '../generated/types.js';
import { agent, publishedVersion } from './fixtures.js';
import { type Report, unknown } from './mistakes.js';
import { optionValues } from './option-values.js';
import { type Concluded, directories, type Step, type WrittenFile } from './scenarios.js';
import type { Start } from './start.js';
import type { Workflow } from './store.js';

/** Excludes functions and promises. */
interface Neither {
  readonly bind?: never;
  readonly then?: never;
}

/** A JSON value, as far as types can express it. The last alternative allows object literals with any fields. */
export type JsonResult =
  | string
  | number
  | boolean
  | null
  | (object & Neither)
  | (Neither & { readonly [field: string]: unknown });

/** A workflow that a test brings: what each of its executions does. Only the id is required. */
export interface OwnWorkflow {
  /** A UUID. A workflow of the service with the same id is replaced. */
  readonly id: string;
  /** The states of an execution, in order; it stays in the last. Default: starting, running, completed. */
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  /** How long each state but the last lasts, in milliseconds at speed 1: one number, or a list. Default: 100. */
  readonly durations?: number | readonly number[] | undefined;
  /** The result of an execution: a JSON value, or a function of what it was started with. Default: null. */
  readonly result?: JsonResult | ((start: StartedWith) => JsonResult) | undefined;
  /** Default: `success` for `completed`, `none` (no result is recorded) for `cancelled`, otherwise `failure`. */
  readonly outcome?: ExecutionResult['outcome'] | 'none' | undefined;
  /** The reasoning that is recorded with the result. */
  readonly reasoning?: string | undefined;
  /** A script failure to record when the execution ends. */
  readonly failure?: Omit<ScriptFailure, 'occurredAt'> | undefined;
  /** The files of an execution. They are listed 150 ms after its end, at speed 1. */
  readonly files?: readonly WrittenFile[] | undefined;
  /** Whether starts require `executionOptions.variantKey`. Default: false. */
  readonly variantMode?: boolean | undefined;
}

/** The argument of a function that makes a result. */
export type StartedWith = Pick<Start, 'inputs' | 'metadata' | 'version'>;

const fields = ['id', 'statuses', 'durations', 'result', 'outcome', 'reasoning', 'failure', 'files', 'variantMode'];
const outcomes = ['success', 'failure', 'none'];
const usualMs = 100;

/**
 * Checks and completes a workflow. Throws a UserError that names the workflow, the field and what is allowed. `report` is
 * called if a function fails to make a result.
 */
export function ownWorkflow(own: OwnWorkflow, index: number, report: Report): Workflow {
  const wrong = (what: string) => new UserError(`workflows[${index}]${what}.`);
  if (!isObject(own)) throw wrong(' must be an object with an id');
  for (const field of Object.keys(own)) if (!fields.includes(field)) throw unknown('the workflow field', field, fields);
  if (!isUuid(own.id)) throw wrong('.id must be a UUID');
  if (own.failure !== undefined && !optionValues['an object'](own.failure))
    throw wrong('.failure must be an object, such as { error: "The login was refused." }');
  for (const [place, { directory, name, text }] of (own.files ?? []).entries()) {
    if (!directories.includes(directory))
      throw unknown(`in workflows[${index}].files the directory`, directory, directories);
    if (typeof name !== 'string' || typeof text !== 'string')
      throw wrong(`.files[${place}] must have a name and a text, both strings`);
  }

  const { statuses = ['starting', 'running', 'completed'], reasoning = 'As the test has it.', result = null } = own;
  const last = statuses.at(-1);
  if (statuses[0] !== 'starting' || last === undefined) throw wrong('.statuses must begin with starting');
  const strange = statuses.find((status) => !executionStatuses.includes(status));
  if (strange) throw unknown(`in workflows[${index}].statuses the status`, strange, executionStatuses);
  if (statuses.includes('queued'))
    throw wrong('.statuses cannot have queued: a run is queued when there is no capacity');
  if (statuses.slice(0, -1).some(isTerminal)) throw wrong('.statuses goes on after a terminal state');
  const { outcome = usualOutcome(last) } = own;
  if (!outcomes.includes(outcome)) throw unknown(`in workflows[${index}] the outcome`, outcome, outcomes);

  return {
    id: own.id.toLowerCase(),
    scenario: {
      steps: stepsOf(statuses, own.durations ?? usualMs, wrong),
      ...(outcome !== 'none' && {
        result: conclusion(`workflows[${index}].result`, result, { outcome, reasoning }, report),
      }),
      ...(own.failure && { scriptFailure: own.failure }),
      ...(own.files && { files: own.files }),
    },
    variantMode: own.variantMode ?? false,
    publishedVersion,
    versions: [1, 2, publishedVersion],
    agent,
  };
}

const usualOutcome = (last: ExecutionStatus) =>
  last === 'completed' ? 'success' : last === 'cancelled' ? 'none' : 'failure';

/** Creates the function that makes the result of a run. */
function conclusion(
  place: string,
  result: NonNullable<OwnWorkflow['result']> | null,
  as: Omit<Concluded, 'result'>,
  report: Report,
): (start: Start) => Concluded {
  if (typeof result !== 'function') {
    const value = asSent(place, result);
    return () => ({ ...as, result: value });
  }
  return (start) => {
    try {
      return { ...as, result: asSent(place, result(start)) };
    } catch (error) {
      // Runs end in a timer, where an uncaught error would end the process.
      const mistake = error instanceof UserError ? error : new UserError(`${place} threw: ${error}`);
      report(mistake);
      return { outcome: 'failure', reasoning: mistake.message, result: null };
    }
  };
}

/** The value as it is after JSON serialisation. Throws a UserError if it is not JSON. */
function asSent(place: string, value: unknown): unknown {
  if (value instanceof Promise) {
    // Otherwise its rejection would end the process.
    value.catch(() => undefined);
    throw new UserError(`${place} returns a promise, which is not awaited: return the value itself.`);
  }
  const text = textOf(place, value);
  if (text === undefined)
    throw new UserError(`${place} returns ${typeof value}, which is not JSON; return null instead.`);
  return JSON.parse(text);
}

function textOf(place: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const [why] = (error as Error).message.split('\n', 1);
    throw new UserError(`${place} cannot be written as JSON: ${why}.`);
  }
}

function stepsOf(
  statuses: readonly ExecutionStatus[],
  durations: number | readonly number[],
  wrong: (what: string) => UserError,
): readonly Step[] {
  const each = typeof durations === 'number' ? statuses.slice(1).map(() => durations) : durations;
  if (each.length !== statuses.length - 1)
    throw wrong(`.durations must be a number or ${statuses.length - 1} of them: the last state has none`);
  if (!each.every((ms) => Number.isFinite(ms) && ms >= 0)) throw wrong('.durations must be milliseconds from 0');
  return statuses.map((status, index) => ({ status, ...(index < each.length && { ms: each[index] ?? usualMs }) }));
}
