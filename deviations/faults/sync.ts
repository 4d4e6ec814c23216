import { isTerminal } from '../../generated/lifecycle.js';
import type { Execution } from '../../generated/types.js';
import { Refusal } from '../../reference/errors.js';
import type { Run } from '../../reference/store.js';
import { ignoring, isFields, without } from '../change.js';
import type { Fault } from '../fault.js';

const hasBegun = ({ status }: Run) => status !== 'queued' && !isTerminal(status);

type Sync = ReturnType<Parameters<Fault['behaviour']>[0]['presentSync']>;

/** Answers a synchronous start otherwise, also in ways that the contract rules out. */
const answering =
  (change: (answer: Sync) => object): Fault['behaviour'] =>
  (base) => ({ presentSync: (run) => change(base.presentSync(run)) as Sync });

/** Takes a wait that is out of bounds, or of another type, for the default. */
const takesTimeout = (id: string, value: unknown, rule: 'sync-timeout-range' | 'sync-timeout-is-integer'): Fault => ({
  id,
  breaks: [rule],
  says: `timeoutSeconds ${JSON.stringify(value)} is taken.`,
  behaviour: ignoring('timeoutSeconds', (seconds) => seconds !== value),
});

/** Refuses a call for what became of its run. */
const refusesRun =
  (ending: string, status: number): Fault['behaviour'] =>
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
  behaviour: (base) => ({
    violations: (operation, body) =>
      isFields(body) && body.timeoutSeconds === seconds
        ? [{ kind: 'value', parameter: 'timeoutSeconds', detail: 'is out of bounds' }]
        : base.violations(operation, body),
  }),
});

/** Refuses a field that the asynchronous start takes. */
const refusesField = (field: string, breaks: Fault['breaks']): Fault => ({
  id: `sync-refuses-${field}`,
  breaks,
  says: `A synchronous start with ${field} is refused.`,
  behaviour: (base) => ({
    violations: (operation, body) =>
      operation === 'executeSync' && isFields(body) && field in body
        ? [{ kind: 'value', parameter: field, detail: 'cannot be given' }]
        : base.violations(operation, body),
  }),
});

/** What a synchronous start says of the run, and how long it waits for it. */
export const syncFaults: readonly Fault[] = [
  {
    id: 'sync-answers-200-always',
    breaks: ['sync-200-means-terminal', 'sync-202-means-not-finished', 'response-matches-schema'],
    says: 'A synchronous start is answered 200 also when the run has not ended.',
    behaviour: answering((answer) => ({ ...answer, status: 200 })),
  },
  {
    id: 'sync-answers-202-always',
    breaks: ['sync-200-means-terminal', 'sync-202-means-not-finished', 'response-matches-schema'],
    says: 'A synchronous start is answered 202 also when the run has ended.',
    behaviour: answering((answer) => ({ ...answer, status: 202 })),
  },
  {
    id: 'paused-runs-are-answered-200',
    breaks: ['sync-200-means-terminal', 'response-matches-schema'],
    says: 'A synchronous start whose run is paused is answered 200.',
    behaviour: answering((answer) => (answer.body.status === 'paused' ? { ...answer, status: 200 } : answer)),
  },
  {
    id: 'sync-promises-the-end',
    breaks: ['sync-200-means-terminal', 'sync-202-means-not-finished'],
    says: 'A synchronous start is answered as completed when the wait is over.',
    behaviour: answering(({ status, body }) =>
      body.status === 'running' || body.status === 'starting'
        ? { status: 200, body: { ...body, status: 'completed' } }
        : { status, body },
    ),
  },
  {
    id: 'sync-does-not-wait',
    breaks: ['sync-200-means-terminal', 'sync-default-timeout', 'sync-202-when-time-is-up'],
    says: 'A synchronous start is answered 202 at once.',
    behaviour: () => ({ syncWaitMs: () => 0 }),
  },
  refusesField('head', ['sync-takes-the-same-body']),
  refusesField('profileGroupId', ['sync-takes-the-same-body', 'over-capacity-is-queued']),
  refusesField('tempFiles', ['sync-takes-the-same-body']),
  refusesField('agentProfilePoolId', ['deprecated-fields-still-work']),
  {
    id: 'unfinished-runs-have-a-result',
    breaks: ['sync-result-agrees'],
    says: 'A 202 carries a result, though none is recorded.',
    behaviour: answering((answer) =>
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
    id: 'sync-waits-longer',
    breaks: ['sync-wait-is-bounded', 'sync-202-means-not-finished'],
    says: 'A synchronous start waits ten seconds longer than it was told.',
    behaviour: (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) + 10_000 }),
  },
  {
    id: 'sync-ignores-the-timeout',
    breaks: ['sync-202-means-not-finished', 'sync-wait-is-bounded'],
    says: 'A synchronous start waits 25 seconds whatever it was told.',
    behaviour: (base) => ({ syncWaitMs: () => base.syncWaitMs({}) }),
  },
  {
    id: 'sync-waits-one-second-by-default',
    breaks: ['sync-default-timeout', 'sync-200-means-terminal'],
    says: 'Without timeoutSeconds a synchronous start waits one second.',
    behaviour: (base) => ({ syncWaitMs: ({ timeoutSeconds = 1 }) => base.syncWaitMs({ timeoutSeconds }) }),
  },
  {
    id: 'sync-always-waits-to-the-last',
    breaks: ['sync-returns-when-done'],
    says: 'A synchronous start is answered when the wait is over, however soon the run ended.',
    behaviour: () => ({ endsWait: () => false }),
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
    id: 'sync-leaves-the-result-out',
    breaks: ['sync-result-agrees'],
    says: 'A synchronous start is answered without the result that was recorded.',
    behaviour: answering(({ status, body }) => ({ status, body: without(body, 'executionResult') })),
  },
  {
    id: 'sync-shows-another-result',
    breaks: ['sync-result-agrees'],
    says: 'The result in the answer to a synchronous start is the failure of a success.',
    behaviour: answering(({ status, body }) => ({
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
    behaviour: answering(({ status, body }) => ({
      status,
      body: {
        ...body,
        ...(body.executionResult && {
          executionResult: { ...body.executionResult, executionId: body.executionResult.id },
        }),
      },
    })),
  },
  takesTimeout('timeout-0-is-taken', 0, 'sync-timeout-range'),
  takesTimeout('timeout-below-0-is-taken', -1, 'sync-timeout-range'),
  takesTimeout('timeout-26-is-taken', 26, 'sync-timeout-range'),
  refusesTimeout(1, 'over-capacity-is-queued'),
  refusesTimeout(25),
  takesTimeout('timeout-fractions-are-taken', 1.5, 'sync-timeout-is-integer'),
  takesTimeout('timeout-texts-are-taken', '10', 'sync-timeout-is-integer'),
  takesTimeout('timeout-flags-are-taken', true, 'sync-timeout-is-integer'),
  {
    id: 'pauses-by-the-agent-are-called-paused',
    breaks: ['sync-202-status-is-current'],
    says: 'A synchronous start whose run was paused by the agent is answered as paused.',
    behaviour: answering(({ status, body }) => ({
      status,
      body: { ...body, status: body.status === 'paused_by_agent' ? 'paused' : body.status },
    })),
  },
  {
    id: 'sync-tells-the-first-status',
    breaks: ['sync-202-status-is-current'],
    says: 'A synchronous start whose run goes on is answered with the status that it began with.',
    behaviour: answering(({ status, body }) => ({
      status,
      body: { ...body, status: body.status === 'running' ? 'starting' : body.status },
    })),
  },
  {
    id: 'sync-calls-what-is-queued-starting',
    breaks: ['sync-202-status-is-current'],
    says: 'A synchronous start whose run is still queued is answered as starting.',
    behaviour: answering(({ status, body }) => ({
      status,
      body: { ...body, status: body.status === 'queued' ? 'starting' : body.status },
    })),
  },
];
