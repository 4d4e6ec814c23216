import { executionStatuses, isTerminal } from '../generated/lifecycle.js';
import type { Execution, ExecutionStatus, TerminalExecutionStatus } from '../generated/types.js';
import { checkOptions, type Known, type Refuse } from './checks.js';
import { WorkflowError } from './errors.js';
import { type Limits, type Stop, sleep } from './limits.js';
import type { HeadersGiven } from './requests.js';
import { jittered } from './retry.js';
import type { Runtime } from './runtime.js';

const growth = 1.5;
// A short execution is known to have ended soon, a long one is not asked for often.
const firstIntervalMs = 200;
const longestIntervalMs = 10_000;

/** An execution that is known to be in one of these states. */
export type ExecutionIn<S extends ExecutionStatus> = Execution & { readonly status: S };

/** How long to wait, how often to ask, and what ends it. */
export interface WatchOptions<S extends ExecutionStatus = never> {
  /** Ends the wait at once; nothing is sent afterwards. The execution goes on. */
  signal?: AbortSignal | undefined;
  /** Sent with every request of the wait, beside the key and over the client's own. */
  headers?: HeadersGiven | undefined;
  /** How long the whole wait may take, in milliseconds. Default: as long as the execution takes. */
  timeoutMs?: number | undefined;
  /** How long one request may take, in milliseconds; executeSync's own wait comes on top. Default: the client's. */
  requestTimeoutMs?: number | undefined;
  /** The pause before the next reading, in milliseconds; it grows while the state stays the same. Default: 200. */
  intervalMs?: number | undefined;
  /** What the pause grows to, in milliseconds. Default: 10,000. */
  maxIntervalMs?: number | undefined;
  /** States that end the wait beside the terminal ones, which always do. */
  until?: readonly S[] | undefined;
}

/** As of `watch`, and who is told on the way. */
export interface WaitOptions<S extends ExecutionStatus = never> extends WatchOptions<S> {
  /**
   * Called with the first reading, and with each that shows another state. The wait goes on when what it returns has
   * settled, and ends with what it throws.
   */
  onStatus?: ((execution: Execution) => unknown) | undefined;
}

/** The readings of `watch`: it yields each that shows another state, and returns the last. */
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

/** Throws for options that no wait could keep; gives the headers to send. */
export function checkWaiting<Options extends WaitOptions<ExecutionStatus>>(
  refuse: Refuse,
  options: Options,
  known: Known<Options>,
  usual?: Headers,
): Headers {
  const headers = checkOptions(refuse, options, known, usual);
  const { until = [] } = options;
  if (!Array.isArray(until)) throw refuse('until must be a list of states.');
  // Waiting for a state that the contract does not know might never end.
  for (const status of until)
    if (!executionStatuses.includes(status))
      throw refuse(`until names ${JSON.stringify(status)}, which is not a status.`);
  return headers;
}

/** Reads until the execution ends, pausing in between; yields the first reading and each that shows another state. */
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

/** Watches to the end and gives the last reading. */
export async function reach<S extends ExecutionStatus>(
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
  // Only a word of our own is repeated: what a service makes up may hold anything.
  const state = executionStatuses.find((known) => known === status) ?? 'in a state that the contract does not know';
  return new WorkflowError(
    kind,
    kind === 'aborted'
      ? `waiting for execution ${executionId} was aborted by the caller while it was ${state}`
      : `execution ${executionId} was still ${state} at the deadline; it goes on and can be waited for again`,
    { operation: 'getExecution', executionId, requestSent: true, cause },
  );
}
