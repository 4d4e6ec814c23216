/** The client: a method for each operation, and those that wait for executions. */

import type { ContractClient, Methods } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import type {
  Execution,
  ExecutionStatus,
  FinishedExecution,
  operations,
  StartedExecution,
  TerminalExecutionStatus,
  UnfinishedExecution,
} from '../generated/types.js';
import { type Answer, Call, withCallerStack } from './call.js';
import { checkOptions, checkRequest, type Ids, type Known, refusing } from './checks.js';
import type { WorkflowError } from './errors.js';
import type { DownloadedFile, DownloadOptions } from './files.js';
import { callHook } from './hooks.js';
import type { Limits } from './limits.js';
import { checkRuntime, resolveOptions, type WorkflowClientOptions } from './options.js';
import type { ExecuteRequest, ExecuteSyncRequest, Given, HeadersGiven } from './requests.js';
import { isTransient, isTransientDuringWait, type RetryPolicy, retrying } from './retry.js';
import type { RunAllOptions, RunItem, RunResult } from './run-all.js';
import { type Runtime, systemRuntime } from './runtime.js';
import { createSender, type ServiceRequest } from './sender.js';
import {
  checkWaiting,
  type ExecutionIn,
  type WaitOptions,
  type Watching,
  type WatchOptions,
  waitOptions,
  waitUntil,
  watching,
  watchOptions,
} from './wait.js';

/** The options of every call. They are its last argument. */
export interface CallOptions {
  /** Aborts the call at once, with an error of kind `aborted`. Nothing is sent afterwards. */
  signal?: AbortSignal | undefined;
  /**
   * How long the call may take, in milliseconds, retries included; then it fails with an error of kind `timeout`,
   * a start with `may-have-started`.
   * Default: the client's `timeoutMs`, plus the time that the service waits where it is asked to.
   */
  timeoutMs?: number | undefined;
  /** How many times a GET is retried. Nothing else is retried. Default: the client's `maxRetries`. */
  maxRetries?: number | undefined;
  /** Headers to send in addition to the key. They override the client's headers. */
  headers?: HeadersGiven | undefined;
}

/** The options of one operation: `CallOptions`, and its query parameters: `{ query: { limit: 20 } }`. */
export type OptionsOf<Id extends OperationId> = CallOptions & Pick<operations[Id]['parameters'], 'query'>;

/** The options of any operation. */
type AnyOptions = CallOptions & { query?: Fields | undefined };
/** What a request says. */
type Fields = Readonly<Record<string, unknown>>;

/** Optional fields of a request may be undefined. */
type Undefinable<Taken extends readonly unknown[]> = { [Place in keyof Taken]: Given<Taken[Place]> };

/** The options may be left out unless a parameter in them is required. */
type Last<Id extends OperationId> = operations[Id]['parameters'] extends { query: object }
  ? [options: OptionsOf<Id>]
  : [options?: OptionsOf<Id>];

/** A method for each operation of the contract. */
type Plain = {
  [Id in keyof Methods]: (...taken: [...Undefinable<Methods[Id]['takes']>, ...Last<Id>]) => Call<Methods[Id]['gives']>;
};

/**
 * The client. Methods reject with a `WorkflowError` only; what your own callbacks throw is passed on unchanged. Calls
 * of operations also have `withResponse()`, which gives the HTTP response too.
 */
export interface WorkflowClient extends Plain {
  /** Starts an execution and returns its id at once. Follow it with `waitFor` or `watch`. Never retried. */
  execute(workflowId: string, request?: ExecuteRequest, options?: OptionsOf<'execute'>): Call<StartedExecution>;
  /**
   * Starts an execution and lets the service wait for its end, up to `timeoutSeconds` (1 to 25, default 25). An
   * execution that has not ended by then goes on: follow it with `waitFor`. Never retried.
   */
  executeSync(
    workflowId: string,
    request?: ExecuteSyncRequest,
    options?: OptionsOf<'executeSync'>,
  ): Call<FinishedExecution | UnfinishedExecution>;

  /**
   * Starts an execution (`execute`) and polls it until it ends, or reaches a state in `until`. By default it waits as
   * long as the execution takes.
   */
  run<S extends ExecutionStatus = never>(
    workflowId: string,
    request?: ExecuteRequest,
    options?: WaitOptions<S>,
  ): Promise<ExecutionIn<TerminalExecutionStatus | S>>;
  /** Polls an execution until it ends, or reaches a state in `until`. By default it waits as long as that takes. */
  waitFor<S extends ExecutionStatus = never>(
    executionId: string,
    options?: WaitOptions<S>,
  ): Promise<ExecutionIn<TerminalExecutionStatus | S>>;
  /** Yields an execution as it is now, then again whenever its state has changed, up to the last state. */
  watch<S extends ExecutionStatus = never>(executionId: string, options?: WatchOptions<S>): Watching<S>;

  /**
   * Starts an execution for each item, with at most `concurrency` under way at once, and yields each result when its
   * execution ends. A run that fails is a result with an `error`. Only the signal, an error of `items`, or one of your
   * callbacks ends the whole.
   */
  runAll<Item extends RunItem, S extends ExecutionStatus = never>(
    items: Iterable<Item> | AsyncIterable<Item>,
    options?: RunAllOptions<Item, S>,
  ): AsyncGenerator<RunResult<Item, S>, void, undefined>;
  /** Waits until an execution has ended and its files are listed, then yields each with its bytes as a stream. */
  downloadFiles(executionId: string, options?: DownloadOptions): AsyncGenerator<DownloadedFile, void, undefined>;

  /** The openapi-fetch client, with the key added: no deadline, checks or retries, and results as `{ data, error }`. */
  readonly raw: ContractClient;
}

const callOptions: Known<AnyOptions> = {
  signal: 'any',
  timeoutMs: 'number',
  maxRetries: 'any',
  headers: 'any',
  query: 'any',
};

// Reads may lag behind writes: a 404 soon after the start does not mean that there is no execution.
const settlingMs = 5000;

/**
 * Creates a client of one service. Throws a WorkflowError of kind `configuration` for options that cannot work.
 * `runtime` replaces the clock, timers and random numbers in tests.
 */
export function createWorkflowClient(options: WorkflowClientOptions, runtime: Runtime = systemRuntime): WorkflowClient {
  const settings = resolveOptions(options);
  checkRuntime(runtime);
  const { timeoutMs: usualTimeoutMs, maxRetries, maxRetryAfterMs, onRetry } = settings;
  const ask = createSender(settings, runtime);
  /** Start times of recent executions, for which a 404 may still pass. */
  const fresh = new Map<string, number>();

  const started = (executionId: string) => {
    const now = runtime.now();
    // The oldest come first.
    for (const [id, at] of fresh) {
      if (now - at <= settlingMs) break;
      fresh.delete(id);
    }
    fresh.set(executionId, now);
  };
  const isFresh = (executionId: string) => runtime.now() - (fresh.get(executionId) ?? -Infinity) <= settlingMs;

  type Persistence = Partial<Pick<RetryPolicy, 'times' | 'mayRetry'>>;

  async function request<T>(question: ServiceRequest, limits: Limits, persistence?: Persistence): Promise<Answer<T>> {
    const { operation } = question;
    const once = (attempt: number) => ask<T>(question, limits, attempt);
    // Only GET is retried: anything else that seems to have failed may have taken effect.
    const { method, starts }: Sent = sends[operation];
    if (method !== 'GET') {
      const answer = await once(1);
      if (starts) started((answer.data as unknown as StartedExecution).executionId);
      return answer;
    }
    const onPause = (attempt: number, delayMs: number, error: WorkflowError) =>
      callHook(onRetry, { operation, attempt, delayMs, error });
    return retrying(
      runtime,
      { times: maxRetries, mayRetry: isTransient, ...persistence, maxRetryAfterMs, onPause },
      limits,
      once,
    );
  }

  function call<T>(operation: OperationId, ids: Ids, options: AnyOptions = {}, body?: Fields): Call<T> {
    return new Call(
      withCallerStack(async () => {
        checkRequest(operation, ids, body, { ...waitOptions, ...options });
        const headers = checkOptions(refusing(operation), options, callOptions, settings.headers);
        const { waits: [name, usualSeconds] = ['', 0] }: Sent = sends[operation];
        const { signal, query, maxRetries: times = maxRetries } = options;
        const seconds = Number({ ...body, ...query }[name]) || usualSeconds;
        const { timeoutMs = usualTimeoutMs + seconds * 1000 } = options;
        const limits = { signal, deadline: runtime.now() + timeoutMs };
        return request({ operation, ids, query, body, headers }, limits, { times });
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
      // An execution that exists stays there, so failures pass. If none was ever seen, the address may be wrong.
      const isThere = wasRead || isFresh(id);
      const patience = {
        times: isThere ? Infinity : maxRetries,
        mayRetry: (error: WorkflowError) =>
          isTransientDuringWait(error) || (error.status === 404 && !wasRead && isFresh(id)),
      };
      const { data } = await request<Execution>(
        { operation: 'getExecution', ids: { executionId: id }, headers },
        limits,
        patience,
      );
      wasRead = true;
      return data;
    };
    return yield* watching(read, runtime, id, limits, options);
  }

  const run: WorkflowClient['run'] = (id, body = {}, options = {}) =>
    withCallerStack(async () => {
      const refuse = refusing('execute', 'run');
      checkRequest('execute', { workflowId: id }, body as Record<string, unknown>, waitOptions, refuse);
      const headers = checkWaiting(refuse, options, waitOptions, settings.headers);
      const limits = waitLimits(options);
      const { data } = await request<StartedExecution>(
        { operation: 'execute', ids: { workflowId: id }, body, headers },
        limits,
      );
      return waitUntil(follow(data.executionId, { ...options, headers }, limits), options.onStatus);
    });

  const waitFor: WorkflowClient['waitFor'] = (id, options) =>
    withCallerStack(() => waitUntil(follow(id, options), options?.onStatus));

  const execute: WorkflowClient['execute'] = (id, body = {}, options) =>
    call('execute', { workflowId: id }, options, body);

  /** The arguments are the ids of the path, then the request if there is one, then the options. */
  const methods = Object.entries<Sent>(sends).map(([operation, { path, requestBody }]) => [
    operation,
    (...taken: never[]) => {
      const ids = (path.match(/[^{]+(?=})/g) ?? []).map((name) => [name, taken.shift()]);
      // A missing required body becomes null, which is refused because it is not an object.
      const body = requestBody && (taken.shift() ?? (requestBody === 'required' ? null : undefined));
      return call(operation as OperationId, Object.fromEntries(ids), taken[0], body as Fields | undefined);
    },
  ]);

  return {
    ...(Object.fromEntries(methods) as Plain),
    execute,
    executeSync: (id, body = {}, options) => call('executeSync', { workflowId: id }, options, body),
    run,
    waitFor,
    watch: (id, options) => follow(id, options, undefined, watchOptions),
    // Imported on use, so that bundlers can leave them out of what a page loads first.
    async *runAll(items, options) {
      const { runAll } = await import('./run-all.js');
      yield* runAll({ execute, waitFor, onRetry, maxRetryAfterMs }, runtime, items, options);
    },
    async *downloadFiles(id, options) {
      const { downloads } = await import('./files.js');
      const ended = (limits: Limits) => waitUntil(follow(id, { signal: limits.signal }, limits));
      yield* downloads(request, ended, settings, runtime, id, options);
    },
    raw: lazily(async () => (await import('./raw.js')).createRaw(settings, runtime)),
  };
}

const rawMethods = 'request GET PUT POST DELETE OPTIONS HEAD PATCH TRACE use eject'.split(
  ' ',
) as (keyof ContractClient)[];

/** A client that is created at the first call of a method. Calls take effect in their order. */
function lazily(create: () => Promise<ContractClient>): ContractClient {
  let created: Promise<ContractClient> | undefined;
  const methods = rawMethods.map((name) => [
    name,
    async (...taken: never[]) => {
      created ??= create();
      const method: (...taken: never[]) => unknown = (await created)[name];
      return method(...taken);
    },
  ]);
  return Object.fromEntries(methods) as ContractClient;
}
