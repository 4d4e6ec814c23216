import { executionStatuses, isTerminal } from '../generated/lifecycle.js';
import type { ExecutionResult, ExecutionStatus, ScriptFailure } from '../generated/types.js';
import { uuid } from './behaviour/access.js';
import { agent, publishedVersion } from './fixtures.js';
import { Mistake, unknown } from './mistakes.js';
import { directories, type Step, type WrittenFile } from './scenarios.js';
import type { Start } from './start.js';
import type { Workflow } from './store.js';

/** A workflow that a test brings: what each of its runs does by itself. All but the id may be left out. */
export interface OwnWorkflow {
  /** A UUID. That of a workflow which the service has already replaces it. */
  readonly id: string;
  /** The states of a run, in order; it stays in the last. Default: starting, running, completed. */
  readonly statuses?: readonly ExecutionStatus[] | undefined;
  /** How long each state but the last takes, in milliseconds at speed 1: one for all, or one each. Default: 100. */
  readonly durations?: number | readonly number[] | undefined;
  /** What a run that ends leaves as its result: any JSON value, or a function of what it was started with. Default: null. */
  readonly result?: object | string | number | boolean | null | ((start: StartedWith) => unknown) | undefined;
  /** Default: `success` for a run that ends completed, `none` (it leaves no result) for a cancelled one, else `failure`. */
  readonly outcome?: ExecutionResult['outcome'] | 'none' | undefined;
  /** Why the outcome is what it is. */
  readonly reasoning?: string | undefined;
  /** Recorded among the script failures when a run ends. */
  readonly failure?: Omit<ScriptFailure, 'occurredAt'> | undefined;
  /** What a run leaves in its directories; listed a little after its end. */
  readonly files?: readonly WrittenFile[] | undefined;
  /** Whether each start has to name a variant. Default: false. */
  readonly variantMode?: boolean | undefined;
}

/** What a function that makes a result is given. */
export type StartedWith = Pick<Start, 'inputs' | 'metadata' | 'version'>;

const fields = ['id', 'statuses', 'durations', 'result', 'outcome', 'reasoning', 'failure', 'files', 'variantMode'];
const outcomes = ['success', 'failure', 'none'];
const usualMs = 100;

/** Throws a Mistake that names the workflow, the field, and what it may be. */
export function ownWorkflow(own: OwnWorkflow, index: number): Workflow {
  const wrong = (what: string) => new Mistake(`workflows[${index}]${what}.`);
  if (typeof own !== 'object' || own === null) throw wrong(' must be an object with an id');
  for (const field of Object.keys(own)) if (!fields.includes(field)) throw unknown('the workflow field', field, fields);
  if (!uuid.test(own.id)) throw wrong('.id must be a UUID');
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
  if (statuses.includes('queued')) throw wrong('.statuses cannot have queued: a run waits where there is no capacity');
  if (statuses.slice(0, -1).some(isTerminal)) throw wrong('.statuses goes on after the end');
  const { outcome = usualOutcome(last) } = own;
  if (!outcomes.includes(outcome)) throw unknown(`in workflows[${index}] the outcome`, outcome, outcomes);

  return {
    id: own.id.toLowerCase(),
    scenario: {
      steps: stepsOf(statuses, own.durations ?? usualMs, wrong),
      ...(outcome !== 'none' && { result: (start: Start) => concluded(outcome, reasoning, result, start) }),
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

function concluded(outcome: ExecutionResult['outcome'], reasoning: string, result: unknown, start: Start) {
  if (typeof result !== 'function') return { outcome, reasoning, result };
  try {
    return { outcome, reasoning, result: result(start) };
  } catch (error) {
    // A run ends in a timer: thrown there, it would end the process.
    return { outcome: 'failure' as const, reasoning: `The function for the result threw: ${error}`, result: null };
  }
}

function stepsOf(
  statuses: readonly ExecutionStatus[],
  durations: number | readonly number[],
  wrong: (what: string) => Mistake,
): readonly Step[] {
  const each = typeof durations === 'number' ? statuses.slice(1).map(() => durations) : durations;
  if (each.length !== statuses.length - 1)
    throw wrong(`.durations must be a number or ${statuses.length - 1} of them: the last state has none`);
  if (!each.every((ms) => Number.isFinite(ms) && ms >= 0)) throw wrong('.durations must be milliseconds from 0');
  return statuses.map((status, index) => ({ status, ...(index < each.length && { ms: each[index] ?? usualMs }) }));
}
