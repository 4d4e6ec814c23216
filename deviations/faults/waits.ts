import type { Run } from '../../reference/store.js';
import type { Fault } from '../fault.js';
import { longRuns } from '../variations/runs.js';

/** Cancels the runs of this kind that go on when their call is answered. */
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

/** How long a synchronous start waits, and what becomes of a run that goes on. */
export const waitFaults: readonly Fault[] = [
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
  ...(['paused', 'awaiting_confirmation', 'paused_by_agent'] as const).map((stop) =>
    cancels(`runs-told-to-be-${stop}-are-cancelled`, `an execution that is ${stop}`, ({ status }) => status === stop),
  ),
  {
    id: 'sync-waits-half-as-long',
    breaks: ['sync-202-when-time-is-up', 'sync-200-means-terminal'],
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
    id: 'sync-waits-ten-seconds-by-default',
    breaks: ['sync-default-timeout'],
    says: 'Without timeoutSeconds a synchronous start waits ten seconds, and slow runs take half a minute.',
    behaviour: (base) => ({
      ...longRuns(base),
      syncWaitMs: ({ timeoutSeconds = 10 }) => base.syncWaitMs({ timeoutSeconds }),
    }),
  },
  {
    id: 'queued-starts-wait-for-their-turn',
    breaks: ['execute-returns-at-once'],
    says: 'An asynchronous start that is queued is answered, as queued, when it begins.',
    behaviour: (base) => {
      const ours = new WeakSet<object>();
      let isAsync = false;
      return {
        violations: (operation, body) => {
          isAsync = operation === 'execute';
          return base.violations(operation, body);
        },
        readStart: (body) => {
          const start = base.readStart(body);
          if (isAsync) ours.add(start);
          return start;
        },
        asyncWaitMs: () => 60_000,
        endsWait: (run) => (ours.has(run.start) ? run.status !== 'queued' : base.endsWait(run)),
      };
    },
  },
  {
    id: 'starts-with-options-wait-for-the-end',
    breaks: ['execute-returns-at-once'],
    says: 'An asynchronous start with a soft timeout is answered when the run has ended.',
    behaviour: (base) => {
      let waits = false;
      return {
        readStart: (body) => {
          const start = base.readStart(body);
          waits = start.softTimeoutMins !== undefined;
          return start;
        },
        asyncWaitMs: () => (waits ? 60_000 : base.asyncWaitMs()),
      };
    },
  },
];
