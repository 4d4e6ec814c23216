import type { Execution, FinishedExecution, UnfinishedExecution } from '../generated/types.js';
import { WorkflowError } from './errors.js';

/** A schema of zod, valibot, arktype or another library of Standard Schema: https://standardschema.dev. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] };

/** An execution, or the answer of a synchronous start. */
type Ran = Execution | FinishedExecution | UnfinishedExecution;

/**
 * Returns `executionResult.result` of a successful execution; with a schema, what that makes of it. Rejects with a
 * WorkflowError: `unsuccessful` if the execution has not completed, its outcome is failure, or it left no result;
 * `unexpected-result` if the schema does not accept the result; `invalid-request` for wrong arguments.
 */
export async function resultOf(execution: Ran): Promise<unknown>;
export async function resultOf<Output>(execution: Ran, schema: StandardSchema<Output>): Promise<Output>;
export async function resultOf(execution: Ran, schema?: StandardSchema): Promise<unknown> {
  const { status, executionResult, ...ids } = execution ?? {};
  const executionId = 'id' in ids ? ids.id : ids.executionId;
  const refuse = (text: string) => new WorkflowError('invalid-request', `resultOf: ${text}`);
  if (status === undefined || executionId === undefined)
    throw refuse('that is not an execution; await the call that returns one, such as run or waitFor.');
  if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function')
    throw refuse('the schema must be one of Standard Schema, as zod, valibot and arktype make them.');
  const unsuccessful = (text: string) =>
    new WorkflowError('unsuccessful', line(`execution ${executionId} ${text}`), { executionId, requestSent: true });
  const reasoning = executionResult?.reasoning ? `: ${executionResult.reasoning}` : '';
  if (status !== 'completed') throw unsuccessful(`is ${status}${reasoning}`);
  if (!executionResult) throw unsuccessful('completed without a result');
  if (executionResult.outcome !== 'success') throw unsuccessful(`completed with the outcome failure${reasoning}`);
  if (!schema) return executionResult.result;

  const checked = await schema['~standard'].validate(executionResult.result);
  if (!checked.issues) return checked.value;
  const issues = checked.issues
    .slice(0, 3)
    .map(({ message, path }) => `${(path ?? []).map(step).join('.')} ${message}`);
  throw new WorkflowError('unexpected-result', line(`the result of execution ${executionId}: ${issues.join('; ')}`), {
    executionId,
    requestSent: true,
  });
}

const step = (segment: unknown): string =>
  typeof segment === 'object' && segment !== null && 'key' in segment ? String(segment.key) : String(segment);

/** Agents write the reasoning: keep it on one line of readable length. */
const line = (text: string) => text.replace(/\p{Cc}+/gu, ' ').slice(0, 1000);
