/** Faults in the answers to synchronous starts, in their waits, and in what happens to the run afterwards. */

import { isTerminal, stoppedStatuses } from '../../generated/lifecycle.js';
import type { Execution, ExecutionStatus } from '../../generated/types.js';
import { Refusal } from '../../reference/errors.js';
import type { Run } from '../../reference/store.js';
import {
  hasFiles,
  ignoring,
  isBare,
  isFields,
  longRuns,
  optionsOf,
  overlooking,
  refusing,
  without,
} from '../change.js';
import type { Fault } from '../fault.js';

const hasBegun = ({ status }: Run) => status !== 'queued' && !isTerminal(status);

type Sync = ReturnType<Parameters<Fault['behaviour']>[0]['presentSync']>;

/** Changes answers to synchronous starts, possibly into ways that the contract rules out. */
const answeringSync =
  (change: (answer: Sync) => object): Fault['behaviour'] =>
  (base) => ({ presentSync: (run) => change(base.presentSync(run)) as Sync });

/** Accepts a timeoutSeconds that is out of bounds, and waits for the default time. */
const takesTimeout = (id: string, value: number): Fault => ({
  id,
  breaks: ['sync-timeout-range'],
  says: `timeoutSeconds ${value} is taken.`,
  behaviour: ignoring('timeoutSeconds', (seconds) => seconds !== value),
});

/** Refuses a call because of how its run has ended. */
const refusesRun =
  (ending: ExecutionStatus, status: number): Fault['behaviour'] =>
  (base) => ({
    presentSync: (run) => {
      if (run.status === ending) throw new Refusal(status, `The execution is ${ending}.`);
      return base.presentSync(run);
    },
  });

const refusesTimeout = (seconds: number, ...also: Fault['breaks'][number][]): Fault => ({
  id: `timeout-${seconds}-is-refused`,
  breaks: ['sync-timeout-range', ...also],
  says: `timeoutSeconds ${seconds} is refused.`,
  behaviour: refusing('timeoutSeconds', (body) => body.timeoutSeconds === seconds),
});

/** Refuses a field that asynchronous starts accept. */
const refusesField = (field: string, breaks: Fault['breaks']): Fault => ({
  id: `sync-refuses-${field}`,
  breaks,
  says: `A synchronous start with ${field} is refused.`,
  behaviour: refusing(field, (body, operation) => operation === 'executeSync' && field in body),
});

/** Cancels runs of this kind when their call is answered with 202. */
const cancels = (id: string, what: string, is: (run: Run) => boolean, ...also: Fault['breaks'][number][]): Fault => ({
  id,
  breaks: ['sync-202-keeps-running', ...also],
  says: `After a 202 ${what} is cancelled.`,
  behaviour: (base) => {
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
  },
});

const hasProfile = ({ start }: Run) => start.profileId !== undefined;

export const syncFaults: readonly Fault[] = [
  {
    id: 'profiles-wait-for-nothing',
    breaks: ['sync-takes-the-same-body'],
    says: 'A start with a profile that would wait for capacity is refused.',
    behaviour: refusing('body', (body) => body.onCapacityLimit === 'queue' && body.profileId !== undefined),
  },
  {
    id: 'groups-take-no-temp-files',
    breaks: ['sync-takes-the-same-body'],
    says: 'A start with a group and a temp file is refused.',
    behaviour: refusing('body', (body) => body.profileGroupId !== undefined && hasFiles(body)),
  },
  {
    id: 'profiles-take-no-head',
    breaks: ['sync-takes-the-same-body'],
    says: 'A synchronous start of the head with a profile is refused.',
    behaviour: refusing(
      'head',
      (body, operation) => operation === 'executeSync' && body.head === true && 'profileId' in body,
    ),
  },
  {
    id: 'variants-take-no-temp-files',
    breaks: ['sync-takes-the-same-body'],
    says: 'A start with a variantKey and temp files is refused.',
    behaviour: refusing('tempFiles', (body) => optionsOf(body).variantKey !== undefined && hasFiles(body)),
  },
  {
    id: 'who-waits-brings-no-nulls',
    breaks: ['sync-takes-the-same-body'],
    says: 'A synchronous start with an input that is null is refused.',
    behaviour: refusing(
      'inputs',
      (body, operation) =>
        operation === 'executeSync' && isFields(body.inputs) && Object.values(body.inputs).includes(null),
    ),
  },
  refusesField('head', ['sync-takes-the-same-body']),
  refusesField('profileGroupId', ['sync-takes-the-same-body', 'over-capacity-is-queued']),
  refusesField('tempFiles', ['sync-takes-the-same-body']),
  {
    id: 'sync-answers-200-always',
    breaks: ['sync-200-means-terminal', 'sync-202-means-not-finished', 'response-matches-schema'],
    says: 'A synchronous start is answered 200 also when the run has not ended.',
    behaviour: answeringSync((answer) => ({ ...answer, status: 200 })),
  },
  {
    id: 'sync-answers-202-always',
    breaks: ['sync-200-means-terminal', 'sync-202-means-not-finished', 'response-matches-schema'],
    says: 'A synchronous start is answered 202 also when the run has ended.',
    behaviour: answeringSync((answer) => ({ ...answer, status: 202 })),
  },
  {
    id: 'paused-runs-are-answered-200',
    breaks: ['sync-200-means-terminal', 'response-matches-schema'],
    says: 'A synchronous start whose run is paused is answered 200.',
    behaviour: answeringSync((answer) => (answer.body.status === 'paused' ? { ...answer, status: 200 } : answer)),
  },
  {
    id: 'sync-promises-the-end',
    breaks: ['sync-200-means-terminal', 'sync-202-means-not-finished'],
    says: 'A synchronous start is answered as completed when the wait is over.',
    behaviour: answeringSync(({ status, body }) =>
      body.status === 'running' || body.status === 'starting'
        ? { status: 200, body: { ...body, status: 'completed' } }
        : { status, body },
    ),
  },
  {
    id: 'sync-does-not-wait',
    breaks: ['sync-200-means-terminal', 'sync-default-timeout', 'sync-202-when-time-is-up', 'queued-call-waits'],
    says: 'A synchronous start is answered 202 at once.',
    behaviour: () => ({ syncWaitMs: () => 0 }),
  },
  {
    id: 'failed-runs-are-refusals',
    breaks: ['sync-200-means-terminal'],
    says: 'A synchronous start whose run has failed is answered 422.',
    behaviour: refusesRun('failed', 422),
  },
  {
    id: 'failed-runs-are-server-errors',
    breaks: ['sync-200-means-terminal', 'no-server-errors'],
    says: 'A synchronous start whose run has failed is answered 500.',
    behaviour: refusesRun('failed', 500),
  },
  {
    id: 'pauses-are-refusals',
    breaks: ['sync-202-means-not-finished'],
    says: 'A synchronous start whose run is paused is answered 422.',
    behaviour: refusesRun('paused', 422),
  },
  {
    id: 'timeouts-are-refusals',
    breaks: ['sync-202-means-not-finished'],
    says: 'A synchronous start is answered 408 when the wait is over.',
    behaviour: (base) => ({
      presentSync: (run) => {
        if (run.status === 'running') throw new Refusal(408, 'The execution did not end in time.');
        return base.presentSync(run);
      },
    }),
  },
  {
    id: 'sync-ignores-the-timeout',
    breaks: ['sync-202-means-not-finished', 'sync-wait-is-bounded'],
    says: 'A synchronous start waits 25 seconds whatever it was told.',
    behaviour: (base) => ({ syncWaitMs: () => base.syncWaitMs({}) }),
  },
  {
    id: 'pauses-by-the-agent-are-called-paused',
    breaks: ['sync-202-status-is-current'],
    says: 'A synchronous start whose run was paused by the agent is answered as paused.',
    behaviour: answeringSync(({ status, body }) => ({
      status,
      body: { ...body, status: body.status === 'paused_by_agent' ? 'paused' : body.status },
    })),
  },
  {
    id: 'sync-tells-the-first-status',
    breaks: ['sync-202-status-is-current'],
    says: 'A synchronous start whose run goes on is answered with the status that it began with.',
    behaviour: answeringSync(({ status, body }) => ({
      status,
      body: { ...body, status: body.status === 'running' ? 'starting' : body.status },
    })),
  },
  {
    id: 'sync-calls-what-is-queued-starting',
    breaks: ['sync-202-status-is-current'],
    says: 'A synchronous start whose run is still queued is answered as starting.',
    behaviour: answeringSync(({ status, body }) => ({
      status,
      body: { ...body, status: body.status === 'queued' ? 'starting' : body.status },
    })),
  },
  {
    id: 'unfinished-runs-have-a-result',
    breaks: ['sync-result-agrees'],
    says: 'A 202 carries a result, though none is recorded.',
    behaviour: answeringSync((answer) =>
      answer.status === 202
        ? {
            ...answer,
            body: {
              ...answer.body,
              executionResult: {
                id: answer.body.executionId,
                executionId: answer.body.executionId,
                outcome: 'failure',
                reasoning: 'It has not ended.',
                result: null,
                createdAt: '2026-01-01T00:00:00.000Z',
              },
            },
          }
        : answer,
    ),
  },
  {
    id: 'sync-leaves-the-result-out',
    breaks: ['sync-result-agrees'],
    says: 'A synchronous start is answered without the result that was recorded.',
    behaviour: answeringSync(({ status, body }) => ({ status, body: without(body, 'executionResult') })),
  },
  {
    id: 'sync-shows-another-result',
    breaks: ['sync-result-agrees'],
    says: 'The result in the answer to a synchronous start is the failure of a success.',
    behaviour: answeringSync(({ status, body }) => ({
      status,
      body: {
        ...body,
        ...(body.executionResult && { executionResult: { ...body.executionResult, outcome: 'failure', result: null } }),
      },
    })),
  },
  {
    id: 'sync-results-name-another-execution',
    breaks: ['sync-result-agrees'],
    says: 'The result in the answer to a synchronous start names another execution.',
    behaviour: answeringSync(({ status, body }) => ({
      status,
      body: {
        ...body,
        ...(body.executionResult && {
          executionResult: { ...body.executionResult, executionId: body.executionResult.id },
        }),
      },
    })),
  },
  {
    id: 'waits-have-limits-beside-inputs',
    breaks: ['sync-timeout-range'],
    says: 'timeoutSeconds is not held against its limits where there are no inputs.',
    behaviour: overlooking(
      ({ timeoutSeconds, inputs }, operation) =>
        operation === 'executeSync' && Number(timeoutSeconds) < 0 && inputs === undefined,
    ),
  },
  {
    id: 'who-waits-in-line-waits-for-long',
    breaks: ['sync-timeout-range'],
    says: 'timeoutSeconds above 25 is taken with onCapacityLimit queue.',
    behaviour: overlooking(
      ({ timeoutSeconds, onCapacityLimit }, operation) =>
        operation === 'executeSync' && Number(timeoutSeconds) > 25 && onCapacityLimit === 'queue',
    ),
  },
  {
    id: 'waits-pass-alone',
    breaks: ['sync-timeout-range'],
    says: 'timeoutSeconds 26 is taken with neither inputs, metadata nor a profile.',
    behaviour: overlooking((body) => body.timeoutSeconds === 26 && isBare(body)),
  },
  {
    id: 'two-seconds-are-refused',
    breaks: ['sync-timeout-range'],
    says: 'timeoutSeconds 2 is refused.',
    behaviour: refusing(
      'timeoutSeconds',
      (body, operation) => operation === 'executeSync' && body.timeoutSeconds === 2,
    ),
  },
  takesTimeout('timeout-0-is-taken', 0),
  takesTimeout('timeout-below-0-is-taken', -1),
  takesTimeout('timeout-26-is-taken', 26),
  refusesTimeout(1, 'over-capacity-is-queued'),
  refusesTimeout(25),
  {
    id: 'sync-waits-longer',
    breaks: ['sync-wait-is-bounded', 'sync-202-means-not-finished'],
    says: 'A synchronous start waits ten seconds longer than it was told.',
    behaviour: (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) + 10_000 }),
  },
  {
    id: 'sync-waits-one-second-by-default',
    breaks: ['sync-default-timeout', 'sync-200-means-terminal'],
    says: 'Without timeoutSeconds a synchronous start waits one second.',
    behaviour: (base) => ({ syncWaitMs: ({ timeoutSeconds = 1 }) => base.syncWaitMs({ timeoutSeconds }) }),
  },
  {
    id: 'sync-waits-ten-seconds-by-default',
    breaks: ['sync-default-timeout'],
    says: 'Without timeoutSeconds a synchronous start waits ten seconds, and slow runs take half a minute.',
    behaviour: (base) => ({
      ...longRuns(base),
      syncWaitMs: ({ timeoutSeconds = 10 }) => base.syncWaitMs({ timeoutSeconds }),
    }),
  },
  {
    id: 'sync-always-waits-to-the-last',
    breaks: ['sync-returns-when-done'],
    says: 'A synchronous start is answered when the wait is over, however soon the run ended.',
    behaviour: () => ({ endsWait: () => false }),
  },
  {
    id: 'queued-calls-return-at-once',
    breaks: ['queued-call-waits'],
    says: 'A synchronous start that is queued is answered at once.',
    behaviour: (base) => ({ endsWait: (run) => run.status === 'queued' || base.endsWait(run) }),
  },
  {
    id: 'heads-are-waited-for-half-as-long',
    breaks: ['sync-202-when-time-is-up', 'sync-200-means-terminal'],
    says: 'A synchronous start of the head is answered 202 when half its timeoutSeconds are over.',
    behaviour: (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) / (body.head ? 2 : 1) }),
  },
  {
    id: 'sync-waits-half-as-long',
    breaks: ['sync-202-when-time-is-up', 'sync-200-means-terminal', 'queued-call-waits'],
    says: 'A synchronous start is answered 202 when half its timeoutSeconds are over.',
    behaviour: (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) / 2 }),
  },
  {
    id: 'sync-waits-one-second-or-all',
    breaks: ['sync-202-when-time-is-up', 'sync-200-means-terminal'],
    says: 'A synchronous start waits one second, unless it is to wait as long as it may.',
    behaviour: (base) => ({
      syncWaitMs: ({ timeoutSeconds = 25 }) => base.syncWaitMs({ timeoutSeconds: timeoutSeconds < 25 ? 1 : 25 }),
    }),
  },
  {
    id: 'equal-calls-share-an-execution',
    breaks: ['sync-is-not-idempotent'],
    says: 'A synchronous start that was sent before is answered with the execution of then.',
    behaviour: (base) => {
      const runs = new Map<string, Parameters<typeof base.presentSync>[0]>();
      return {
        presentSync: (run) => {
          const request = JSON.stringify([run.workflow.id, run.start]);
          const first = runs.get(request) ?? run;
          runs.set(request, first);
          return base.presentSync(first);
        },
      };
    },
  },
  {
    id: 'unfinished-runs-stop',
    breaks: ['sync-202-keeps-running', 'execution-progresses'],
    says: 'After a 202 an execution that has begun stays in the state that it is in.',
    behaviour: (base) => {
      const stopped = new Map<string, Execution>();
      return {
        presentSync: (run) => {
          if (hasBegun(run)) stopped.set(run.id, base.presentExecution(run));
          return base.presentSync(run);
        },
        presentExecution: (run) => stopped.get(run.id) ?? base.presentExecution(run),
      };
    },
  },
  {
    id: 'unfinished-runs-are-gone',
    breaks: ['sync-202-keeps-running', 'accepted-execution-is-readable'],
    says: 'After a 202 an execution that has begun cannot be read.',
    behaviour: (base) => {
      const gone = new Set<string>();
      return {
        presentSync: (run) => {
          if (hasBegun(run)) gone.add(run.id);
          return base.presentSync(run);
        },
        findRun: (organization, id) => (gone.has(id) ? undefined : base.findRun(organization, id)),
      };
    },
  },
  cancels('unfinished-runs-are-cancelled', 'an execution', () => true, 'execution-progresses'),
  cancels(
    'unfinished-runs-of-profiles-are-cancelled',
    'an execution with a profile',
    hasProfile,
    'execution-progresses',
  ),
  cancels(
    'unfinished-runs-without-inputs-are-cancelled',
    'an execution without inputs',
    ({ start }) => !start.inputs,
    'execution-progresses',
  ),
  cancels(
    'unfinished-runs-with-options-are-cancelled',
    'an execution with a soft timeout',
    ({ start }) => start.softTimeoutMins !== undefined,
    'execution-progresses',
  ),
  cancels(
    'unfinished-runs-with-temp-files-are-cancelled',
    'an execution with temp files',
    ({ start }) => start.tempFiles.length > 0,
    'execution-progresses',
  ),
  ...stoppedStatuses.map((stop) =>
    cancels(`runs-told-to-be-${stop}-are-cancelled`, `an execution that is ${stop}`, ({ status }) => status === stop),
  ),
];
