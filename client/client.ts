import type { ContractClient, Methods } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import type {
  Execution,
  ExecutionFiles,
  ExecutionStatus,
  FinishedExecution,
  operations,
  StartedExecution,
  TerminalExecutionStatus,
  UnfinishedExecution,
} from '../generated/types.js';
import { createAsk, type Question } from './ask.js';
import { type Answer, Call, fromHere } from './call.js';
import { checkOptions, checkRequest, type Ids, type Known, refusing } from './checks.js';
import type { WorkflowError } from './errors.js';
import type { DownloadedFile, DownloadOptions } from './files.js';
import { tell } from './hooks.js';
import type { Limits } from './limits.js';
import { checkRuntime, settle, type WorkflowClientOptions } from './options.js';
import type { ExecuteRequest, ExecuteSyncRequest, Given, HeadersGiven } from './requests.js';
import { mayPass, mayPassInTime, type Patience, repeating } from './retry.js';
import { longestWaitSeconds, waitSeconds } from './run.js';
import type { RunAllOptions, RunItem, RunResult } from './run-all.js';
import { type Runtime, systemRuntime } from './runtime.js';
import { createRaw } from './sending.js';
import {
  checkWaiting,
  type ExecutionIn,
  reach,
  type WaitOptions,
  type Watching,
  type WatchOptions,
  waitOptions,
  watching,
  watchOptions,
} from './wait.js';

/** What every call takes last. */
export interface CallOptions {
  /** Ends the call at once; nothing is sent afterwards. */
  signal?: AbortSignal | undefined;
  /** How long the call may take, in milliseconds, repeated readings included. Default: the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
  /** Sent beside the key, and over the client's own headers. */
  headers?: HeadersGiven | undefined;
}

/** Headers by their names, beside those that the contract has. */
type OtherHeaders = Readonly<Record<string, string | number | boolean>>;

/** With the headers that the contract has for the operation, where it has some. */
type HeadersOf<Parameters> = Parameters extends { header: infer Named }
  ? { headers: Named & OtherHeaders }
  : Parameters extends { header?: infer Named extends object }
    ? { headers?: HeadersGiven | (Named & OtherHeaders) | undefined }
    : Pick<CallOptions, 'headers'>;

/** The same with the parameters of the query and the headers that the operation has: `{ query: { limit: 20 } }`. */
export type OptionsOf<Id extends OperationId> = Omit<CallOptions, 'headers'> &
  HeadersOf<operations[Id]['parameters']> &
  Pick<operations[Id]['parameters'], 'query'>;

/** Those of whichever operation. */
type AnyOptions = CallOptions & { query?: object | undefined };

/** What is left out of a request may be undefined in it. */
type Undefinable<Taken extends readonly unknown[]> = { [Place in keyof Taken]: Given<Taken[Place]> };

/** They may be left out where no parameter is required. */
type Last<Id extends OperationId> = object extends OptionsOf<Id> ? [options?: OptionsOf<Id>] : [options: OptionsOf<Id>];

/** A method for each operation, as the contract has it. */
type Plain = {
  [Id in keyof Methods]: (...taken: [...Undefinable<Methods[Id]['takes']>, ...Last<Id>]) => Call<Methods[Id]['gives']>;
};

/** Every method rejects with a `WorkflowError` and nothing else. `withResponse()` gives the response too. */
export interface WorkflowClient extends Plain {
  /** Starts an execution and returns its id at once. Follow it with `waitFor` or `watch`. Never sent twice. */
  execute(workflowId: string, request?: ExecuteRequest, options?: OptionsOf<'execute'>): Call<StartedExecution>;
  /**
   * Starts an execution and lets the service wait for it, up to `timeoutSeconds` (1 to 25, default 25). An execution
   * that has not ended by then goes on: follow it with `waitFor`. Never sent twice.
   */
  executeSync(
    workflowId: string,
    request?: ExecuteSyncRequest,
    options?: OptionsOf<'executeSync'>,
  ): Call<FinishedExecution | UnfinishedExecution>;

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

  /**
   * Starts many, never more at once than `concurrency`, and yields how each went in the order in which they end. A run
   * that fails is a result with an `error`; only `onStarted`, the items and the signal can end the whole.
   */
  runAll<Item extends RunItem, S extends ExecutionStatus = never>(
    items: Iterable<Item> | AsyncIterable<Item>,
    options?: RunAllOptions<Item, S>,
  ): AsyncGenerator<RunResult<Item, S>, void, undefined>;
  /** Waits until the files of an execution are listed, and yields each with its bytes as they come. */
  downloadFiles(executionId: string, options?: DownloadOptions): AsyncGenerator<DownloadedFile, void, undefined>;

  /** The openapi-fetch client, with the key in place: no deadline, no checks, no retries, its own results. */
  readonly raw: ContractClient;
}

const callOptions: Known<AnyOptions> = { signal: 'any', timeoutMs: 'number', headers: 'any', query: 'any' };

// An execution may be written in one place and read in another: for so long after its start, 404 is no last word.
const settlingMs = 5000;

/**
 * A client of one service. Throws a `configuration` error for options that cannot work. `runtime` is for tests that
 * bring a clock of their own.
 */
export function createWorkflowClient(options: WorkflowClientOptions, runtime: Runtime = systemRuntime): WorkflowClient {
  const settings = settle(options);
  checkRuntime(runtime);
  const { timeoutMs: usualTimeoutMs, retry, maxRetryAfterMs, onRetry } = settings;
  const ask = createAsk(settings, runtime);
  /** When the executions were started that may not be readable everywhere yet. */
  const fresh = new Map<string, number>();

  const started = (executionId: string) => {
    const now = runtime.now();
    // Oldest first.
    for (const [id, at] of fresh) {
      if (now - at <= settlingMs) break;
      fresh.delete(id);
    }
    fresh.set(executionId, now);
  };
  const isFresh = (executionId: string) => runtime.now() - (fresh.get(executionId) ?? -Infinity) <= settlingMs;

  type Persistence = Pick<Patience, 'times' | 'passes'>;

  async function request<T>(question: Question, limits: Limits, persistence?: Persistence): Promise<Answer<T>> {
    const { operation } = question;
    const once = (attempt: number) => ask<T>(question, limits, attempt);
    // A start, an update, a copy or a deletion that seems to have failed may have been done: only reading is repeated.
    const { method, starts }: Sent = sends[operation];
    if (method !== 'GET') {
      const answer = await once(1);
      if (starts) started((answer.data as unknown as StartedExecution).executionId);
      return answer;
    }
    const onPause = (attempt: number, delayMs: number, error: WorkflowError) =>
      tell(onRetry, { operation, attempt, delayMs, error });
    return repeating(
      runtime,
      { times: retry, passes: mayPass, ...persistence, maxRetryAfterMs, onPause },
      limits,
      once,
    );
  }

  function call<T>(operation: OperationId, ids: Ids, options: AnyOptions = {}, body?: object, waitMs = 0): Call<T> {
    return new Call(
      fromHere(async () => {
        checkRequest(operation, ids, body as Record<string, unknown>, waitOptions);
        const headers = checkOptions(refusing(operation), options, callOptions, settings.headers);
        const { signal, timeoutMs = usualTimeoutMs + waitMs, query } = options;
        return request({ operation, ids, query, body, headers }, { signal, deadline: runtime.now() + timeoutMs });
      }),
    );
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

  async function* follow<S extends ExecutionStatus>(
    id: string,
    options: WatchOptions<S> = {},
    earlier?: Limits,
    known: Known<WatchOptions> = waitOptions,
  ): Watching<S> {
    const refuse = refusing('getExecution', known === watchOptions ? 'watch' : 'waitFor');
    checkRequest('getExecution', { executionId: id }, undefined, undefined, refuse);
    const headers = checkWaiting(refuse, options, known, settings.headers);
    const limits = earlier ?? waitLimits(options);
    let wasRead = false;
    const read = async () => {
      // What was there before will be there again; what never was may be a mistake in the address.
      const isThere = wasRead || isFresh(id);
      const patience = {
        times: isThere ? Infinity : retry,
        passes: (error: WorkflowError) =>
          (isThere ? mayPassInTime : mayPass)(error) || (error.status === 404 && !wasRead && isFresh(id)),
      };
      const question = { operation: 'getExecution', ids: { executionId: id }, headers } as const;
      const { data } = await request<Execution>(question, limits, patience);
      wasRead = true;
      return data;
    };
    return yield* watching(read, runtime, id, limits, options);
  }

  const run: WorkflowClient['run'] = (id, body = {}, options = {}) =>
    fromHere(async () => {
      const refuse = refusing('execute', 'run');
      checkRequest('execute', { workflowId: id }, body as Record<string, unknown>, waitOptions, refuse);
      const headers = checkWaiting(refuse, options, waitOptions, settings.headers);
      const limits = waitLimits(options);
      const seconds = waitSeconds(body, options);
      const question = {
        operation: seconds ? 'executeSync' : 'execute',
        ids: { workflowId: id },
        body: { ...body, timeoutSeconds: seconds || undefined },
        headers,
      } as const;
      const requestMs = limits.requestMs + seconds * 1000;
      const { data } = await request<StartedExecution>(question, { ...limits, requestMs });
      return reach(follow(data.executionId, { ...options, headers }, limits), options.onStatus);
    });

  const waitFor: WorkflowClient['waitFor'] = (id, options) =>
    fromHere(() => reach(follow(id, options), options?.onStatus));

  const execute: WorkflowClient['execute'] = (id, body = {}, options) =>
    call('execute', { workflowId: id }, options, body);

  /** The ids of the path come first, then the request, where there is one. */
  const methods = Object.entries<Sent>(sends).map(([operation, { path, requestBody }]) => [
    operation,
    (...taken: never[]) => {
      const ids = (path.match(/[^{]+(?=})/g) ?? []).map((name) => [name, taken.shift()]);
      // Null is refused as whatever else is no object.
      const body = requestBody && (taken.shift() ?? (requestBody === 'required' ? null : undefined));
      return call(operation as OperationId, Object.fromEntries(ids), taken[0], body as object | undefined);
    },
  ]);

  return {
    ...(Object.fromEntries(methods) as Plain),
    execute,
    executeSync: (id, body = {}, options) =>
      call('executeSync', { workflowId: id }, options, body, (body?.timeoutSeconds ?? longestWaitSeconds) * 1000),
    run,
    waitFor,
    watch: (id, options) => follow(id, options, undefined, watchOptions),
    // Not everybody needs these: a bundler that splits leaves them out of what a page loads first.
    async *runAll(items, options) {
      const { runAll } = await import('./run-all.js');
      yield* runAll({ execute, waitFor, onRetry, maxRetryAfterMs }, runtime, items, options);
    },
    async *downloadFiles(id, options) {
      const { downloads } = await import('./files.js');
      const list = async (limits: Limits) =>
        (
          await request<ExecutionFiles>(
            { operation: 'listExecutionFiles', ids: { executionId: id }, headers: settings.headers },
            limits,
          )
        ).data;
      yield* downloads(list, settings, runtime, id, options);
    },
    raw: createRaw(settings, runtime),
  };
}
