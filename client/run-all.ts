import type { ExecutionStatus, StartedExecution, TerminalExecutionStatus } from '../generated/types.js';
import { isObject, type Known, refusing } from './checks.js';
import { WorkflowError } from './errors.js';
import { type Hooks, tell } from './hooks.js';
import { sleep } from './limits.js';
import type { ExecuteRequest } from './requests.js';
import { jittered } from './retry.js';
import type { Runtime } from './runtime.js';
import { checkWaiting, type ExecutionIn, type WaitOptions, waitOptions } from './wait.js';

/** A run to start; it may carry whatever the caller knows it by. */
export interface RunItem {
  workflowId: string;
  request?: ExecuteRequest | undefined;
}

/** How `runAll` goes about it; the options of a wait hold for each run. */
export interface RunAllOptions<Item extends RunItem, S extends ExecutionStatus = never> extends WaitOptions<S> {
  /** How many executions may be under way at the same time. Default: 10. */
  concurrency?: number | undefined;
  /**
   * Called with the id of each execution that was started, before it is waited for, so that it can be stored. It is
   * awaited; what it throws ends everything.
   */
  onStarted?: ((executionId: string, item: Item) => unknown) | undefined;
  /** Ids of executions that were started in an earlier life: waited for first, and not started again. */
  resume?: Iterable<string> | undefined;
  /**
   * Which refused starts are tried again, with growing pauses. `true`: those with 429. The interface does not show which
   * status says that there is no capacity; where it is known, a function can name it. A start that may have happened is
   * never tried again. Default: none.
   */
  retryStart?: boolean | ((error: WorkflowError) => boolean) | undefined;
}

/** How one run went. `item` is absent for one that was resumed. */
export type RunResult<Item extends RunItem, S extends ExecutionStatus = never> = { item?: Item } & (
  | { executionId: string; execution: ExecutionIn<TerminalExecutionStatus | S>; error?: undefined }
  | { executionId?: string; execution?: undefined; error: WorkflowError }
);

/** What it needs of a client. */
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

const ofRequests: readonly (keyof ExecuteRequest)[] = [
  'inputs',
  'metadata',
  'executionOptions',
  'profileId',
  'profileGroupId',
];

const usualConcurrency = 10;
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** Runs all, and yields each result when it is there. Takes the next item only when there is room for it. */
export async function* runAll<Item extends RunItem, S extends ExecutionStatus>(
  runner: Runner,
  runtime: Runtime,
  items: Iterable<Item> | AsyncIterable<Item>,
  options: RunAllOptions<Item, S> = {},
): AsyncGenerator<RunResult<Item, S>, void, undefined> {
  const refuse = refusing('execute', 'runAll');
  const headers = checkWaiting<RunAllOptions<Item, ExecutionStatus>>(refuse, options, known);
  const { concurrency = usualConcurrency, onStarted, resume, retryStart, signal, ...waiting } = { ...options, headers };
  // A text can be iterated too, letter by letter.
  if (!isObject(items) || !(Symbol.iterator in items || Symbol.asyncIterator in items))
    throw refuse('The items must be iterable.');
  if (resume !== undefined && !(isObject(resume) && Symbol.iterator in resume))
    throw refuse('resume must be a list of ids.');
  if (!['undefined', 'boolean', 'function'].includes(typeof retryStart))
    throw refuse('retryStart must be true, false or a function.');
  // One each: Node warns of a signal that more than ten listen to.
  const stops = new Set<AbortController>();
  let stopped: { reason: unknown } | undefined;
  let wake = () => {};
  const stop = (reason?: unknown) => {
    stopped = { reason };
    for (const each of stops) each.abort(reason);
    wake();
  };
  const aborted = () => stop(signal?.reason);
  signal?.addEventListener('abort', aborted);
  if (signal?.aborted) aborted();

  async function start(item: Item, signal: AbortSignal): Promise<string> {
    if (!isObject(item)) throw refuse('An item must be an object with a workflowId.');
    // An item may have members of its own, but a run without its inputs is not what is meant.
    for (const field of ofRequests)
      if (item.request === undefined && Object.hasOwn(item, field))
        throw refuse(`An item has its ${field} in its request: { workflowId, request: { ${field} } }.`);
    for (let failures = 0; ; failures += 1) {
      try {
        const { headers, requestTimeoutMs: timeoutMs } = waiting;
        const { workflowId, request } = item;
        return (await runner.execute(workflowId, request, { signal, headers, timeoutMs })).executionId;
      } catch (error) {
        if (!(error instanceof WorkflowError) || !mayTryAgain(error, retryStart)) throw error;
        const pause =
          Math.min(error.retryAfterMs ?? 0, runner.maxRetryAfterMs) +
          jittered(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), runtime);
        tell(runner.onRetry, { operation: 'execute', attempt: failures + 1, delayMs: pause, error });
        await sleep(runtime, { signal, deadline: Infinity }, pause, () => error);
      }
    }
  }

  async function perform(job: Job<Item>): Promise<RunResult<Item, S>> {
    let executionId = 'item' in job ? undefined : job.executionId;
    const about = 'item' in job && { item: job.item };
    const own = new AbortController();
    stops.add(own);
    if (stopped) own.abort(stopped.reason);
    try {
      if ('item' in job) {
        executionId = await start(job.item, own.signal);
        await onStarted?.(executionId, job.item);
      }
      const id = executionId as string;
      return { ...about, executionId: id, execution: await runner.waitFor<S>(id, { ...waiting, signal: own.signal }) };
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      executionId ??= error.executionId;
      return { ...about, ...(executionId !== undefined && { executionId }), error };
    } finally {
      stops.delete(own);
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
  /** Takes the next item and performs it. Does not wait: an item that is long in coming holds up no result. */
  const take = () => {
    taking = true;
    jobs
      .next()
      .then(({ done, value }) => {
        taking = false;
        if (done || stopped) isOver = true;
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
      if (stopped) isOver = true;
      if (!isOver && !taking && underWay < concurrency) take();
      const next = finished.shift();
      if (next) yield next();
      // An item that is still to come is not waited for when it would not be started any more.
      else if (isOver && underWay === 0 && (stopped || !taking)) break;
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
    // Where the loop was left, nothing is waited for any more. The executions go on.
    stop();
    const closed = jobs.return();
    // Closed when the item that is still to come is there, which may be never.
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

/** Nothing has begun where the service itself says no, or was never asked. A success that breaks the contract is a start. */
const mayTryAgain = (error: WorkflowError, retryStart: RunAllOptions<RunItem>['retryStart']): boolean =>
  !['may-have-started', 'aborted', 'timeout'].includes(error.kind) &&
  (!error.requestSent || Number(error.status) >= 400) &&
  (typeof retryStart === 'function' ? retryStart(error) : retryStart === true && error.kind === 'rate-limited');
