/** Waits for executions by polling. */

import { executionStatuses, isTerminal } from '../generated/lifecycle.js';
import type { Execution, ExecutionStatus, TerminalExecutionStatus } from '../generated/types.js';
import { checkOptions, type Known, type Refuse } from './checks.js';
import { WorkflowError } from './errors.js';
import { type Limits, type Stop, sleep } from './limits.js';
import type { HeadersGiven } from './requests.js';
import { jittered } from './retry.js';
import type { Runtime } from './runtime.js';

const growth = 1.5;
// Begin with short pauses for short executions, and grow them for long ones.
const firstIntervalMs = 200;
const longestIntervalMs = 10_000;

/** An execution in one of these states: a union, so that comparing `status` narrows it. */
export type ExecutionIn<S extends ExecutionStatus> = S extends unknown ? Execution & { readonly status: S } : never;

/** Options of `watch`: how long to wait, how often to poll, and where to stop. */
export interface WatchOptions<S extends ExecutionStatus = never> {
  /** Aborts the wait at once, with an error of kind `aborted`. The execution goes on. */
  signal?: AbortSignal | undefined;
  /** Headers for every request of the wait, in addition to the key. They override the client's headers. */
  headers?: HeadersGiven | undefined;
  /** How long the whole wait may take, in milliseconds. Default: as long as the execution takes. */
  timeoutMs?: number | undefined;
  /**
   * How long one request may take, in milliseconds; in `run`, the time that the service waits comes on top. Default:
   * the client's `timeoutMs`.
   */
  requestTimeoutMs?: number | undefined;
  /**
   * The first pause between polls, in milliseconds. It grows while the state stays the same, and is up to half shorter
   * at random. Default: 200.
   */
  intervalMs?: number | undefined;
  /** The longest pause between polls, in milliseconds. Default: 10,000. */
  maxIntervalMs?: number | undefined;
  /** States that end the wait, in addition to the terminal ones. */
  until?: readonly S[] | undefined;
}

/** Options of `run` and `waitFor`. */
export interface WaitOptions<S extends ExecutionStatus = never> extends WatchOptions<S> {
  /**
   * Called with the execution when it is first read, and whenever its state has changed. It is awaited before the next
   * poll; what it throws ends the wait.
   */
  onStatus?: ((execution: Execution) => unknown) | undefined;
}

/** The result of `watch`: yields the execution at each change of its state, and returns it as last read. */
export type Watching<S extends ExecutionStatus> = AsyncGenerator<
  Execution,
  ExecutionIn<TerminalExecutionStatus | S>,
  undefined
>;

export const watchOptions: Known<WatchOptions> = {
  signal: 'any',
  headers: 'any',
  timeoutMs: 'number',
  requestTimeoutMs: 'number',
  intervalMs: 'number',
  maxIntervalMs: 'number',
  until: 'any',
};
export const waitOptions: Known<WaitOptions> = { ...watchOptions, onStatus: 'function' };

/** Checks the options of a wait. Returns the headers to send. */
export function checkWaiting<Options extends WaitOptions<ExecutionStatus>>(
  refuse: Refuse,
  options: Options,
  known: Known<Options>,
  usual?: Headers,
): Headers {
  const headers = checkOptions(refuse, options, known, usual);
  const { until = [] } = options;
  if (!Array.isArray(until)) throw refuse('until must be a list of states.');
  // A wait for an unknown state might never end.
  for (const status of until)
    if (!executionStatuses.includes(status))
      throw refuse(`until names ${JSON.stringify(status)}, which is not a status.`);
  return headers;
}

/** Polls until the execution ends or is in a state of `until`; yields it at first, and at each change of its state. */
export async function* watching<S extends ExecutionStatus>(
  read: () => Promise<Execution>,
  runtime: Runtime,
  executionId: string,
  limits: Limits,
  { until = [], intervalMs = firstIntervalMs, maxIntervalMs = longestIntervalMs }: WatchOptions<S>,
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
    await sleep(runtime, limits, jittered(pause, runtime), (stop) => unfinished(stop, executionId, execution.status));
    pause = Math.min(pause * growth, maxIntervalMs);
  }
}

/** Runs `watch` to its end, calling `onStatus`, and returns the last reading. */
export async function waitUntil<S extends ExecutionStatus>(
  readings: Watching<S>,
  onStatus?: (execution: Execution) => unknown,
): Promise<ExecutionIn<TerminalExecutionStatus | S>> {
  for (;;) {
    const { done, value } = await readings.next();
    if (done) return value;
    await onStatus?.(value);
  }
}

function unfinished({ kind, cause }: Stop, executionId: string, status: string): WorkflowError {
  // Repeat only a known status: a service could write anything there.
  const state = executionStatuses.find((known) => known === status) ?? 'in a state that the contract does not know';
  return new WorkflowError(
    kind,
    kind === 'aborted'
      ? `waiting for execution ${executionId} was aborted by the caller while it was ${state}`
      : `execution ${executionId} was still ${state} at the deadline; it goes on and can be waited for again`,
    { operation: 'getExecution', executionId, requestSent: true, cause },
  );
}
