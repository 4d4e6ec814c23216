/** Runs many executions, with a limit on how many at once. Loaded on first use. */

import { isObject } from '../common/values.js';
import { sends } from '../generated/sends.js';
import type { ExecutionStatus, StartedExecution, TerminalExecutionStatus } from '../generated/types.js';
import { type Known, refusing } from './checks.js';
import { WorkflowError } from './errors.js';
import { callHook, type Hooks } from './hooks.js';
import { sleep } from './limits.js';
import type { ExecuteRequest } from './requests.js';
import { jittered } from './retry.js';
import type { Runtime } from './runtime.js';
import { checkWaiting, type ExecutionIn, type WaitOptions, waitOptions } from './wait.js';

/** A run to start. It may have further properties of your own, which come back in its result. */
export interface RunItem {
  workflowId: string;
  request?: ExecuteRequest | undefined;
}

/** Options of `runAll`. Those of `WaitOptions` apply to each run; `signal` ends all of them. */
export interface RunAllOptions<Item extends RunItem, S extends ExecutionStatus = never> extends WaitOptions<S> {
  /** How many executions may be under way at once, resumed ones included. Default: 10. */
  concurrency?: number | undefined;
  /**
   * Called with the id of each execution when it has started, so that you can store it. It is awaited before the
   * execution is waited for. If it throws, everything ends; a WorkflowError ends this run only.
   */
  onStarted?: ((executionId: string, item: Item) => unknown) | undefined;
  /** Ids of executions that an earlier process started: they are waited for first, and not started again. */
  resume?: Iterable<string> | undefined;
  /**
   * Which refused starts are retried, with growing pauses. `true`: those with status 429. The interface does not state
   * which status means that there is no capacity; if you know it, pass a function. A start that may have taken effect
   * is never retried. Default: none.
   */
  retryStart?: boolean | ((error: WorkflowError) => boolean) | undefined;
}

/** The result of one run: its execution, or an error. `item` is absent if it was resumed. */
export type RunResult<Item extends RunItem, S extends ExecutionStatus = never> = { item?: Item } & (
  | { executionId: string; execution: ExecutionIn<TerminalExecutionStatus | S>; error?: undefined }
  | { executionId?: string; execution?: undefined; error: WorkflowError }
);

/** The part of a client that `runAll` needs. */
export interface Runner extends Pick<Hooks, 'onRetry'> {
  execute(
    workflowId: string,
    request: ExecuteRequest | undefined,
    options: Pick<WaitOptions, 'signal' | 'headers' | 'timeoutMs'>,
  ): Promise<StartedExecution>;
  waitFor<S extends ExecutionStatus>(
    executionId: string,
    options: WaitOptions<S>,
  ): Promise<ExecutionIn<TerminalExecutionStatus | S>>;
  readonly maxRetryAfterMs: number;
}

const known: Known<RunAllOptions<RunItem>> = {
  concurrency: 'number',
  onStarted: 'function',
  resume: 'any',
  retryStart: 'any',
  ...waitOptions,
};

const usualConcurrency = 10;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** Runs all items, and yields each result when it is there. Takes the next item only when a place is free. */
export async function* runAll<Item extends RunItem, S extends ExecutionStatus>(
  runner: Runner,
  runtime: Runtime,
  items: Iterable<Item> | AsyncIterable<Item>,
  options: RunAllOptions<Item, S> = {},
): AsyncGenerator<RunResult<Item, S>, void, undefined> {
  const refuse = refusing('execute', 'runAll');
  const headers = checkWaiting<RunAllOptions<Item, ExecutionStatus>>(refuse, options, known);
  const { concurrency = usualConcurrency, onStarted, resume, retryStart, signal, ...waiting } = { ...options, headers };
  // A string is iterable too, by characters.
  if (!isObject(items) || !(Symbol.iterator in items || Symbol.asyncIterator in items))
    throw refuse('The items must be iterable.');
  if (resume !== undefined && !(isObject(resume) && Symbol.iterator in resume))
    throw refuse('resume must be a list of ids.');
  if (!['undefined', 'boolean', 'function'].includes(typeof retryStart))
    throw refuse('retryStart must be true, false or a function.');
  const own = new AbortController();
  const { signal: stopped } = own;
  let wake = () => {};
  const aborted = () => {
    own.abort(signal?.reason);
    wake();
  };
  signal?.addEventListener('abort', aborted);
  if (signal?.aborted) aborted();

  async function start(item: Item): Promise<string> {
    if (!isObject(item)) throw refuse('An item must be an object with a workflowId.');
    // Items may have properties of their own, but fields of the request outside of `request` are a mistake.
    for (const field of sends.execute.fields.split(' '))
      if (item.request === undefined && Object.hasOwn(item, field))
        throw refuse(`An item has its ${field} in its request: { workflowId, request: { ${field} } }.`);
    for (let failures = 0; ; failures += 1) {
      try {
        const { headers, requestTimeoutMs: timeoutMs } = waiting;
        const { workflowId, request } = item;
        return (await runner.execute(workflowId, request, { signal: stopped, headers, timeoutMs })).executionId;
      } catch (error) {
        if (!(error instanceof WorkflowError) || !mayTryAgain(error, retryStart)) throw error;
        const pause =
          Math.min(error.retryAfterMs ?? 0, runner.maxRetryAfterMs) +
          jittered(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), runtime);
        callHook(runner.onRetry, { operation: 'execute', attempt: failures + 1, delayMs: pause, error });
        await sleep(runtime, { signal: stopped, deadline: Infinity }, pause, () => error);
      }
    }
  }

  async function perform(job: Job<Item>): Promise<RunResult<Item, S>> {
    let executionId = 'item' in job ? undefined : job.executionId;
    const about = 'item' in job && { item: job.item };
    try {
      if ('item' in job) {
        executionId = await start(job.item);
        await onStarted?.(executionId, job.item);
      }
      const id = executionId as string;
      return { ...about, executionId: id, execution: await runner.waitFor<S>(id, { ...waiting, signal: stopped }) };
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      executionId ??= error.executionId;
      return { ...about, ...(executionId !== undefined && { executionId }), error };
    }
  }

  const jobs = sequence(resume, items);
  const finished: (() => RunResult<Item, S>)[] = [];
  let underWay = 0;
  let taking = false;
  let isOver = false;
  const settle = (outcome: () => RunResult<Item, S>) => {
    finished.push(outcome);
    wake();
  };
  /** Takes the next item and runs it. Does not wait for it: a slow source of items must not delay results. */
  const take = () => {
    taking = true;
    jobs
      .next()
      .then(({ done, value }) => {
        taking = false;
        if (done || stopped.aborted) isOver = true;
        else {
          underWay += 1;
          perform(value)
            .then(
              (result) => settle(() => result),
              (error) => settle(() => raise(error)),
            )
            .finally(() => {
              underWay -= 1;
              wake();
            });
        }
        wake();
      })
      .catch((error: unknown) => {
        taking = false;
        isOver = true;
        settle(() => raise(error));
      });
  };

  try {
    for (;;) {
      if (stopped.aborted) isOver = true;
      if (!isOver && !taking && underWay < concurrency) take();
      const next = finished.shift();
      if (next) yield next();
      // Once stopped, do not wait for an item that is being taken: it would not be started.
      else if (isOver && underWay === 0 && (stopped.aborted || !taking)) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (signal?.aborted)
      throw new WorkflowError('aborted', 'runAll: aborted by the caller; what was not started was left out', {
        cause: signal.reason,
      });
  } finally {
    signal?.removeEventListener('abort', aborted);
    // If the consumer leaves the loop, stop waiting. The executions go on.
    own.abort();
    const closed = jobs.return();
    // It closes only when the item that is being taken arrives, which may be never: do not wait.
    if (taking) closed.catch(() => {});
    else await closed;
  }
}

function raise(error: unknown): never {
  throw error;
}

type Job<Item> = { item: Item } | { executionId: string };

async function* sequence<Item>(
  resume: Iterable<string> = [],
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Job<Item>, void, undefined> {
  for (const executionId of resume) yield { executionId };
  for await (const item of items) yield { item };
}

/** Retry only what was refused or not sent. A success that violates the contract is a start, and not retried. */
const mayTryAgain = (error: WorkflowError, retryStart: RunAllOptions<RunItem>['retryStart']): boolean =>
  !['may-have-started', 'aborted', 'timeout'].includes(error.kind) &&
  (!error.requestSent || Number(error.status) >= 400) &&
  (typeof retryStart === 'function' ? retryStart(error) : retryStart === true && error.kind === 'rate-limited');
