import { bindOperations, type ContractClient, createContractClient } from '../generated/client.js';
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
import { createAsk, PlainRequest, type Send } from './transport.js';
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
  const bound = bindOperations(
    createContractClient({ baseUrl, redirect: 'error', Request: PlainRequest as unknown as typeof Request }),
  );

  /** Sends within the limits, and within `requestTimeoutMs` each time that it has to send again. */
  function request<T>(operation: OperationId, id: string, send: Send<T>, limits: Limits, requestTimeoutMs = Infinity) {
    // A start, an update, a copy or a deletion that seems to have failed may have been done: only reading is repeated.
    const times = operations[operation].method === 'GET' ? retry : 0;
    return repeating(runtime, times, limits, () => {
      const deadline = Math.min(limits.deadline, runtime.now() + requestTimeoutMs);
      return ask(operation, id, send, { ...limits, deadline });
    });
  }

  const limitsOf = ({ signal, timeoutMs = Infinity }: CallOptions): Limits => ({
    signal,
    deadline: runtime.now() + timeoutMs,
  });

  async function call<T>(operation: OperationId, id: string, options: CallOptions, send: Send<T>, body?: object) {
    checkRequest(operation, id, body);
    checkPositive(operation, { timeoutMs: options.timeoutMs });
    return request(operation, id, send, limitsOf({ timeoutMs: usualTimeoutMs, ...options }));
  }

  async function* follow<S extends ExecutionStatus>(id: string, options: WatchOptions<S>, limits: Limits): Watching<S> {
    checkRequest('getExecution', id);
    checkWaiting(options);
    const read = () =>
      request(
        'getExecution',
        id,
        (init) => bound.getExecution(id, init),
        limits,
        options.requestTimeoutMs ?? usualTimeoutMs,
      );
    return yield* watching(read, runtime, limits, options);
  }

  async function run<S extends ExecutionStatus = never>(
    id: string,
    body: ExecuteRequest = {},
    options: WaitOptions<S> = {},
  ) {
    checkRequest('execute', id, body);
    checkWaiting(options);
    const limits = limitsOf(options);
    const { requestTimeoutMs = usualTimeoutMs } = options;
    const timeoutSeconds = waitSeconds(body, options);
    const { executionId } = timeoutSeconds
      ? await request(
          'executeSync',
          id,
          (init) => bound.executeSync(id, { ...body, timeoutSeconds }, init),
          limits,
          timeoutSeconds * 1000 + requestTimeoutMs,
        )
      : await request('execute', id, (init) => bound.execute(id, body, init), limits, requestTimeoutMs);
    return reach(follow(executionId, options, limits), options.onStatus);
  }

  const watch: WorkflowClient['watch'] = (id, options = {}) => follow(id, options, limitsOf(options));

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
