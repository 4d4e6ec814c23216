/** Faults in the answers to synchronous starts, in their waits, and in what happens to the run afterwards. */

import { isTerminal, stoppedStatuses } from '../../generated/lifecycle.js';
import { operations } from '../../generated/operations.js';
import { samples } from '../../generated/samples.js';
import type { Execution, ExecutionResult, ExecutionStatus } from '../../generated/types.js';
import { Refusal } from '../../reference/errors.js';
import type { Run } from '../../reference/store.js';
import {
  failing,
  firstOfEqual,
  hasFiles,
  ifFull,
  ignoring,
  isBare,
  optionsOf,
  overlooking,
  refusing,
  without,
} from '../change.js';
import { breaking, type Fault } from '../fault.js';

const hasBegun = ({ status }: Run) => status !== 'queued' && !isTerminal(status);

type Sync = ReturnType<Parameters<Fault['behaviour']>[0]['presentSync']>;

/** Changes answers to synchronous starts, possibly into ways that the contract rules out. */
const answeringSync =
  (change: (answer: Sync) => object): Fault['behaviour'] =>
  (base) => ({ presentSync: (run) => change(base.presentSync(run)) as Sync });

/** Tells one state as another one. */
const calling = (from: ExecutionStatus, to: ExecutionStatus): Fault['behaviour'] =>
  answeringSync(({ status, body }) => ({ status, body: { ...body, status: body.status === from ? to : body.status } }));

const changingResult = (change: (result: ExecutionResult) => object): Fault['behaviour'] =>
  answeringSync(({ status, body: { executionResult: result, ...body } }) => ({
    status,
    body: { ...body, ...(result && { executionResult: change(result) }) },
  }));

/** Accepts a timeoutSeconds that is out of bounds, and waits for the default time. */
const takesTimeout = (value: number): Fault['behaviour'] => ignoring('timeoutSeconds', (seconds) => seconds !== value);

/** Refuses a call because of how its run has ended. */
const refusesRun = (ending: ExecutionStatus, status: number): Fault['behaviour'] =>
  failing('presentSync', (run) => run.status === ending && new Refusal(status, `The execution is ${ending}.`));

/** Cancels runs of this kind when their call is answered with 202. */
const cancels =
  (is: (run: Run) => boolean): Fault['behaviour'] =>
  (base) => {
    const cancelled = new Set<string>();
    return {
      presentSync: (run) => {
        const answer = base.presentSync(run);
        if (answer.status === 202 && run.status !== 'queued' && is(run)) cancelled.add(run.id);
        return answer;
      },
      presentExecution: (run) =>
        base.presentExecution(
          cancelled.has(run.id) ? { ...run, status: 'cancelled', terminalAt: run.createdAt + 1000 } : run,
        ),
    };
  };

const longestWaitSeconds: number = operations.executeSync.bounds.timeoutSeconds.maximum;

export const syncFaults: readonly Fault[] = [
  ...breaking('sync-takes-the-same-body', {
    'profiles-wait-for-nothing': refusing('body', (body) => ifFull(body) === 'queue' && body.profileId !== undefined),
    'groups-take-no-temp-files': refusing('body', (body) => body.profileGroupId !== undefined && hasFiles(body)),
    'variants-take-no-temp-files': refusing(
      'tempFiles',
      (body) => optionsOf(body).variantKey !== undefined && hasFiles(body),
    ),
    'sync-refuses-profileGroupId': [
      refusing('profileGroupId', (body, operation) => operation === 'executeSync' && 'profileGroupId' in body),
      'over-capacity-is-queued',
    ],
  }),
  ...breaking('sync-200-means-terminal', {
    'sync-answers-200-always': [
      answeringSync((answer) => ({ ...answer, status: 200 })),
      'sync-202-means-not-finished',
      'response-matches-schema',
    ],
    'sync-answers-202-always': [
      answeringSync((answer) => ({ ...answer, status: 202 })),
      'sync-202-means-not-finished',
      'response-matches-schema',
    ],
    'paused-runs-are-answered-200': [
      answeringSync((answer) => (answer.body.status === 'paused' ? { ...answer, status: 200 } : answer)),
      'response-matches-schema',
    ],
    'sync-promises-the-end': [
      answeringSync(({ status, body }) =>
        body.status === 'running' || body.status === 'starting'
          ? { status: 200, body: { ...body, status: 'completed' } }
          : { status, body },
      ),
      'sync-202-means-not-finished',
    ],
    'sync-does-not-wait': [
      () => ({ syncWaitMs: () => 0 }),
      'sync-default-timeout',
      'sync-202-when-time-is-up',
      'queued-call-waits',
    ],
    'failed-runs-are-refusals': refusesRun('failed', 422),
    'failed-runs-are-server-errors': [refusesRun('failed', 500), 'no-server-errors'],
  }),
  ...breaking('sync-202-means-not-finished', {
    'pauses-are-refusals': refusesRun('paused', 422),
    'timeouts-are-refusals': failing(
      'presentSync',
      (run) => run.status === 'running' && new Refusal(408, 'The execution did not end in time.'),
    ),
    'sync-ignores-the-timeout': [(base) => ({ syncWaitMs: () => base.syncWaitMs({}) }), 'sync-wait-is-bounded'],
  }),
  ...breaking('sync-202-status-is-current', {
    'pauses-by-the-agent-are-called-paused': calling('paused_by_agent', 'paused'),
    'sync-tells-the-first-status': calling('running', 'starting'),
    'sync-calls-what-is-queued-starting': calling('queued', 'starting'),
  }),
  ...breaking('sync-result-agrees', {
    'unfinished-runs-have-a-result': answeringSync(({ status, body }) => {
      const { executionId } = body;
      const executionResult = { ...samples.ExecutionResult.minimal, executionId };
      return { status, body: status === 202 ? { ...body, executionResult } : body };
    }),
    'sync-leaves-the-result-out': answeringSync(({ status, body }) => ({
      status,
      body: without(body, 'executionResult'),
    })),
    'sync-shows-another-result': changingResult((result) => ({ ...result, outcome: 'failure', result: null })),
    'sync-results-name-another-execution': changingResult((result) => ({ ...result, executionId: result.id })),
  }),
  ...breaking('sync-timeout-range', {
    'waits-have-limits-beside-inputs': overlooking(
      ({ timeoutSeconds, inputs }, operation) =>
        operation === 'executeSync' && Number(timeoutSeconds) < 0 && inputs === undefined,
    ),
    'who-waits-in-line-waits-for-long': overlooking(
      (body, operation) =>
        operation === 'executeSync' && Number(body.timeoutSeconds) > longestWaitSeconds && ifFull(body) === 'queue',
    ),
    'waits-pass-alone': overlooking((body) => body.timeoutSeconds === longestWaitSeconds + 1 && isBare(body)),
    'two-seconds-are-refused': refusing(
      'timeoutSeconds',
      (body, operation) => operation === 'executeSync' && body.timeoutSeconds === 2,
    ),
    'timeout-0-is-taken': takesTimeout(0),
    'timeout-below-0-is-taken': takesTimeout(-1),
    'timeout-26-is-taken': takesTimeout(26),
    'timeout-1-is-refused': [
      refusing('timeoutSeconds', ({ timeoutSeconds }) => timeoutSeconds === 1),
      'over-capacity-is-queued',
    ],
    'timeout-25-is-refused': refusing('timeoutSeconds', ({ timeoutSeconds }) => timeoutSeconds === 25),
  }),
  ...breaking('sync-wait-is-bounded', {
    'sync-waits-longer': [
      (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) + 10_000 }),
      'sync-202-means-not-finished',
    ],
  }),
  ...breaking('sync-returns-when-done', {
    'sync-always-waits-to-the-last': () => ({ endsWait: () => false }),
  }),
  ...breaking('sync-202-when-time-is-up', {
    'heads-are-waited-for-half-as-long': [
      (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) / (body.head ? 2 : 1) }),
      'sync-200-means-terminal',
    ],
    'sync-waits-half-as-long': [
      (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) / 2 }),
      'sync-200-means-terminal',
      'queued-call-waits',
    ],
    'sync-waits-one-second-or-all': [
      (base) => ({
        syncWaitMs: ({ timeoutSeconds = 25 }) => base.syncWaitMs({ timeoutSeconds: timeoutSeconds < 25 ? 1 : 25 }),
      }),
      'sync-200-means-terminal',
      'sync-202-status-is-current?',
    ],
  }),
  ...breaking('sync-is-not-idempotent', {
    'equal-calls-share-an-execution': (base) => {
      const firstOf = firstOfEqual();
      return { presentSync: (run) => base.presentSync(firstOf(run)) };
    },
  }),
  ...breaking('sync-202-keeps-running', {
    'unfinished-runs-stop': [
      (base) => {
        const stopped = new Map<string, Execution>();
        return {
          presentSync: (run) => {
            if (hasBegun(run)) stopped.set(run.id, base.presentExecution(run));
            return base.presentSync(run);
          },
          presentExecution: (run) => stopped.get(run.id) ?? base.presentExecution(run),
        };
      },
      'execution-progresses',
    ],
    'unfinished-runs-are-gone': [
      (base) => {
        const gone = new Set<string>();
        return {
          presentSync: (run) => {
            if (hasBegun(run)) gone.add(run.id);
            return base.presentSync(run);
          },
          findRun: (organization, id) => (gone.has(id) ? undefined : base.findRun(organization, id)),
        };
      },
      'accepted-execution-is-readable',
    ],
    'unfinished-runs-with-options-are-cancelled': [
      cancels(({ start }) => start.softTimeoutMins !== undefined),
      'execution-progresses',
    ],
    'unfinished-runs-with-temp-files-are-cancelled': [
      cancels(({ start }) => start.tempFiles.length > 0),
      'execution-progresses',
    ],
  }),
  ...stoppedStatuses.flatMap((stop) =>
    breaking('sync-202-keeps-running', {
      [`runs-told-to-be-${stop}-are-cancelled`]: cancels(({ status }) => status === stop),
    }),
  ),
];
