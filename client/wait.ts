import { executionStatuses, isTerminal } from '../generated/lifecycle.js';
import type { Execution, ExecutionStatus, TerminalExecutionStatus } from '../generated/types.js';
import { checkPositive, checkStatuses } from './checks.js';
import { WorkflowError } from './errors.js';
import { type Limits, sleep } from './limits.js';
import { jittered } from './retry.js';
import type { Runtime } from './runtime.js';

const growth = 1.5;

/** An execution that is known to be in one of these states. */
export type ExecutionIn<S extends ExecutionStatus> = Execution & { readonly status: S };

export interface WatchOptions<S extends ExecutionStatus = never> {
  /** Ends the wait at once; nothing is sent afterwards. The execution goes on. */
  signal?: AbortSignal;
  /** How long the whole wait may take, in milliseconds. Default: as long as the execution takes. */
  timeoutMs?: number;
  /** How long one request may take, in milliseconds; executeSync's own wait comes on top. Default: the client's. */
  requestTimeoutMs?: number;
  /** The pause before the next reading, in milliseconds; it grows while the state stays the same. Default: 1000. */
  intervalMs?: number;
  /** What the pause grows to, in milliseconds. Default: 10,000. */
  maxIntervalMs?: number;
  /** States that end the wait beside the terminal ones, which always do. */
  until?: readonly S[];
}

export interface WaitOptions<S extends ExecutionStatus = never> extends WatchOptions<S> {
  /** Called with the first reading, and with each that shows another state. */
  onStatus?: (execution: Execution) => void;
}

export type Watching<S extends ExecutionStatus> = AsyncGenerator<
  Execution,
  ExecutionIn<TerminalExecutionStatus | S>,
  undefined
>;

/** Throws `invalid-request` for options that no wait could keep. */
export function checkWaiting({ until = [], ...options }: WatchOptions<ExecutionStatus>): void {
  for (const name of ['timeoutMs', 'requestTimeoutMs', 'intervalMs', 'maxIntervalMs'] as const) {
    checkPositive('getExecution', name, options[name]);
  }
  checkStatuses('getExecution', executionStatuses, until);
}

/** Reads until the execution ends, pausing in between; yields the first reading and each that shows another state. */
export async function* watching<S extends ExecutionStatus>(
  read: () => Promise<Execution>,
  runtime: Runtime,
  executionId: string,
  limits: Limits,
  { until = [], intervalMs = 1000, maxIntervalMs = 10_000 }: WatchOptions<S>,
): Watching<S> {
  const ends = (execution: Execution): execution is ExecutionIn<TerminalExecutionStatus | S> =>
    isTerminal(execution.status) || until.some((status) => status === execution.status);
  const shortest = Math.min(intervalMs, maxIntervalMs);
  let status: string | undefined;
  let pause = shortest;
  for (;;) {
    const execution = await read();
    if (execution.status !== status) {
      status = execution.status;
      pause = shortest;
      yield execution;
    }
    if (ends(execution)) return execution;
    await sleep(runtime, limits, jittered(pause, runtime), (kind) => unfinished(kind, executionId, execution.status));
    pause = Math.min(pause * growth, maxIntervalMs);
  }
}

/** Watches to the end and gives the last reading. */
export async function reach<S extends ExecutionStatus>(
  readings: Watching<S>,
  onStatus?: (execution: Execution) => void,
): Promise<ExecutionIn<TerminalExecutionStatus | S>> {
  for (;;) {
    const { done, value } = await readings.next();
    if (done) return value;
    onStatus?.(value);
  }
}

function unfinished(kind: 'aborted' | 'timeout', executionId: string, status: string): WorkflowError {
  // Only a word of our own is repeated: what a service makes up may hold anything.
  const state = executionStatuses.find((known) => known === status) ?? 'in a state that the contract does not know';
  return new WorkflowError(
    kind,
    kind === 'aborted'
      ? `waiting for execution ${executionId} was aborted by the caller while it was ${state}`
      : `execution ${executionId} was still ${state} at the deadline; it goes on and can be waited for again`,
    { operation: 'getExecution', executionId, requestSent: true },
  );
}
