import type { ContractClient } from '../generated/client.js';
import { type OperationId, operations } from '../generated/operations.js';
import type {
  AgentProfile,
  AgentProfileUpdate,
  DuplicateProfileRequest,
  ExecuteRequest,
  ExecuteSyncRequest,
  Execution,
  ExecutionFiles,
  ExecutionStatus,
  FinishedExecution,
  StartedExecution,
  TerminalExecutionStatus,
  UnfinishedExecution,
} from '../generated/types.js';
import { checkPositive, checkRequest } from './checks.js';
import type { Limits } from './limits.js';
import { settle, type WorkflowClientOptions } from './options.js';
import { createRaw } from './raw.js';
import { repeating } from './retry.js';
import { longestWaitSeconds, waitSeconds } from './run.js';
import { type Runtime, systemRuntime } from './runtime.js';
import { contractCalls, createAsk, type Send } from './transport.js';
import {
  checkWaiting,
  type ExecutionIn,
  reach,
  type WaitOptions,
  type Watching,
  type WatchOptions,
  watching,
} from './wait.js';

export interface CallOptions {
  /** Ends the call at once; nothing is sent afterwards. */
  signal?: AbortSignal;
  /** How long the call may take, in milliseconds, repeated readings included. Default: the client's `timeoutMs`. */
  timeoutMs?: number;
}

/** Every method rejects with a `WorkflowError` and nothing else. */
export interface WorkflowClient {
  /** Starts an execution and returns its id at once. Follow it with `waitFor` or `watch`. Never sent twice. */
  execute(workflowId: string, request?: ExecuteRequest, options?: CallOptions): Promise<StartedExecution>;
  /**
   * Starts an execution and lets the service wait for it, up to `timeoutSeconds` (1 to 25, default 25). An execution
   * that has not ended by then goes on: follow it with `waitFor`. Never sent twice.
   */
  executeSync(
    workflowId: string,
    request?: ExecuteSyncRequest,
    options?: CallOptions,
  ): Promise<FinishedExecution | UnfinishedExecution>;
  /** Reads one execution as it is now. */
  getExecution(executionId: string, options?: CallOptions): Promise<Execution>;
  /** Lists the files of an execution by directory. A file may appear a little after it was written. */
  listExecutionFiles(executionId: string, options?: CallOptions): Promise<ExecutionFiles>;
  /** Changes what the update names and leaves the rest of the profile as it is. */
  updateProfile(profileId: string, update: AgentProfileUpdate, options?: CallOptions): Promise<AgentProfile>;
  /** Copies a profile with its settings, cookies and credentials, also into another organization. */
  duplicateProfile(profileId: string, request?: DuplicateProfileRequest, options?: CallOptions): Promise<AgentProfile>;
  /** Deletes a pool of profiles. */
  deletePool(poolId: string, options?: CallOptions): Promise<void>;

  /**
   * Starts an execution and waits for its end, or for a state in `until`. Lets the service wait where that is quicker
   * (executeSync) and polls where it is not: with a `signal`, `onStatus`, `until` or a queue.
   */
  run<S extends ExecutionStatus = never>(
    workflowId: string,
    request?: ExecuteRequest,
    options?: WaitOptions<S>,
  ): Promise<ExecutionIn<TerminalExecutionStatus | S>>;
  /** Waits for the end of an execution, or for a state in `until`. */
  waitFor<S extends ExecutionStatus = never>(
    executionId: string,
    options?: WaitOptions<S>,
  ): Promise<ExecutionIn<TerminalExecutionStatus | S>>;
  /** Yields an execution as it is now and then at each change of its state, up to the last. */
  watch<S extends ExecutionStatus = never>(executionId: string, options?: WatchOptions<S>): Watching<S>;

  /** The openapi-fetch client, with the key in place: no deadline, no checks, no retries, its own results. */
  readonly raw: ContractClient;
}

/**
 * A client of one service. Throws a `configuration` error for options that cannot work. `runtime` is for tests that
 * bring a clock of their own.
 */
export function createWorkflowClient(options: WorkflowClientOptions, runtime: Runtime = systemRuntime): WorkflowClient {
  const settings = settle(options);
  const { baseUrl, timeoutMs: usualTimeoutMs, retry } = settings;
  const ask = createAsk(settings, runtime);
  const bound = contractCalls(baseUrl);

  function request<T>(operation: OperationId, id: string, send: Send<T>, limits: Limits): Promise<T> {
    const once = () => ask(operation, id, send, limits);
    // A start, an update, a copy or a deletion that seems to have failed may have been done: only reading is repeated.
    return operations[operation].method === 'GET' ? repeating(runtime, retry, limits, once) : once();
  }

  async function call<T>(
    operation: OperationId,
    id: string,
    options: CallOptions,
    send: Send<T>,
    body?: Record<string, unknown>,
  ) {
    const { signal, timeoutMs = usualTimeoutMs } = options;
    checkRequest(operation, id, body);
    checkPositive(operation, 'timeoutMs', timeoutMs);
    return request(operation, id, send, { signal, deadline: runtime.now() + timeoutMs });
  }

  const waitLimits = ({
    signal,
    timeoutMs = Infinity,
    requestTimeoutMs = usualTimeoutMs,
  }: WatchOptions<ExecutionStatus>) => ({
    signal,
    deadline: runtime.now() + timeoutMs,
    requestMs: requestTimeoutMs,
  });

  async function* follow<S extends ExecutionStatus>(id: string, options: WatchOptions<S>, limits: Limits): Watching<S> {
    checkRequest('getExecution', id);
    checkWaiting(options);
    const read = () => request('getExecution', id, (init) => bound.getExecution(id, init), limits);
    return yield* watching(read, runtime, id, limits, options);
  }

  /** Starts an execution by whichever call serves the caller better. */
  function start(
    id: string,
    body: ExecuteRequest,
    seconds: number,
    limits: Required<Limits>,
  ): Promise<{ executionId: string }> {
    if (seconds === 0) return request('execute', id, (init) => bound.execute(id, body, init), limits);
    const timed = { ...body, timeoutSeconds: seconds };
    const requestMs = limits.requestMs + seconds * 1000;
    return request('executeSync', id, (init) => bound.executeSync(id, timed, init), { ...limits, requestMs });
  }

  const run: WorkflowClient['run'] = async (id, body = {}, options = {}) => {
    checkRequest('execute', id, body);
    checkWaiting(options);
    const limits = waitLimits(options);
    const { executionId } = await start(id, body, waitSeconds(body, options), limits);
    return reach(follow(executionId, options, limits), options.onStatus);
  };

  const watch: WorkflowClient['watch'] = (id, options = {}) => follow(id, options, waitLimits(options));

  return {
    execute: (id, body = {}, options = {}) =>
      call('execute', id, options, (init) => bound.execute(id, body, init), body),
    executeSync: (id, body = {}, options = {}) => {
      const timeoutMs = usualTimeoutMs + (body.timeoutSeconds ?? longestWaitSeconds) * 1000;
      return call('executeSync', id, { timeoutMs, ...options }, (init) => bound.executeSync(id, body, init), body);
    },
    getExecution: (id, options = {}) => call('getExecution', id, options, (init) => bound.getExecution(id, init)),
    listExecutionFiles: (id, options = {}) =>
      call('listExecutionFiles', id, options, (init) => bound.listExecutionFiles(id, init)),
    updateProfile: (id, body, options = {}) =>
      call('updateProfile', id, options, (init) => bound.updateProfile(id, body, init), body),
    duplicateProfile: (id, body, options = {}) =>
      call('duplicateProfile', id, options, (init) => bound.duplicateProfile(id, body, init), body),
    deletePool: async (id, options = {}) => {
      await call('deletePool', id, options, (init) => bound.deletePool(id, init));
    },
    run,
    waitFor: (id, options = {}) => reach(watch(id, options), options.onStatus),
    watch,
    raw: createRaw(settings),
  };
}
