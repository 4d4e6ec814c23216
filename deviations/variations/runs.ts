import { isTerminal } from '../../generated/lifecycle.js';
import type { Execution, ExecutionStatus } from '../../generated/types.js';
import { workflowIds } from '../../reference/fixtures.js';
import type { Step } from '../../reference/scenarios.js';
import type { Run } from '../../reference/store.js';
import { isFields, showing, type Way, without } from '../change.js';
import type { Variation } from '../variation.js';

/** Shows an execution otherwise for its first readings after the end. */
const atFirst =
  (readings: number, change: (one: Execution) => object): Way =>
  (base) => {
    const read = new Map<string, number>();
    return {
      presentExecution: (run) => {
        const before = read.get(run.id) ?? 0;
        if (run.terminalAt !== undefined) read.set(run.id, before + 1);
        const one = base.presentExecution(run);
        return before < readings ? (change(one) as Execution) : one;
      },
    };
  };

const isStop = (status: string) => ['paused', 'paused_by_agent', 'awaiting_confirmation'].includes(status);

/** Runs that go straight from start to end. */
const isPlain = ({ workflow }: Run) => workflow.scenario.steps.length === 3;
const lasts = (run: Run) => run.workflow.scenario.steps.reduce((sum, step) => sum + ('ms' in step ? step.ms : 0), 0);

/** Half a minute of running, for the runs that are slow. */
export const longRuns: Way = (base) => ({
  stepsOf: (run) => {
    const steps = base.stepsOf(run);
    if (run.workflow.id !== workflowIds.slow) return steps;
    return steps.map((step) => (step.status === 'running' ? { ...step, ms: 30_000 } : step));
  },
});

const endingAs = (status: ExecutionStatus, steps: readonly Step[]): readonly Step[] => [
  ...steps.slice(0, -1),
  { status },
];

/** The third run of a workflow goes otherwise than all others. */
const oneRun = (id: string, says: string, workflow: 'completes' | 'slow', end: ExecutionStatus): Variation => ({
  id,
  says,
  behaviour: (base) => {
    let runs = 0;
    return {
      stepsOf: (run) => {
        if (run.workflow.id === workflowIds[workflow]) runs += 1;
        return runs === 3 && run.workflow.id === workflowIds[workflow]
          ? endingAs(end, base.stepsOf(run))
          : base.stepsOf(run);
      },
    };
  },
});

export const runVariations: readonly Variation[] = [
  {
    id: 'runs-of-no-time',
    says: 'Runs have ended when they are answered.',
    behaviour: (base) => ({ stepsOf: (run) => base.stepsOf(run).slice(-1) }),
    untested: 'any',
  },
  oneRun('one-run-fails', 'A person cancels one run of the workflow that completes.', 'completes', 'cancelled'),
  oneRun(
    'one-run-is-paused',
    'A person pauses one run of the workflow that completes, for good.',
    'completes',
    'paused',
  ),
  oneRun('one-slow-run-fails', 'A run fails once that its synchronous call did not wait for.', 'slow', 'failed'),
  oneRun(
    'one-slow-run-asks',
    'A run that its call did not wait for asks to be confirmed, and nobody does.',
    'slow',
    'awaiting_confirmation',
  ),
  {
    id: 'runs-fail-at-times',
    says: 'Every fourteenth run fails, whatever its workflow.',
    behaviour: (base) => {
      let runs = 0;
      return {
        stepsOf: (run) => {
          runs += 1;
          return runs % 14 === 0 ? endingAs('failed', base.stepsOf(run)) : base.stepsOf(run);
        },
      };
    },
  },
  {
    id: 'long-runs',
    says: 'Slow runs take half a minute.',
    // Where others make all runs slower still, they end within it as well.
    declared: { pace: { patienceSeconds: 180 } },
    behaviour: longRuns,
  },
  {
    id: 'soft-timeouts-by-default',
    says: 'Of the published version runs show a softTimeoutMins that nobody gave them, and of the head only what they were given.',
    behaviour: showing((one, { start }) =>
      start.head ? one : { ...one, executionOptions: { softTimeoutMins: 59, ...one.executionOptions } },
    ),
  },
  {
    id: 'late-results',
    says: 'A result is recorded a while after the end.',
    behaviour: (base) => ({
      ...atFirst(1, (one) => without(one, 'executionResult'))(base),
      presentSync: (run) => {
        const { status, body } = base.presentSync(run);
        return { status, body: without(body, 'executionResult') as unknown } as ReturnType<typeof base.presentSync>;
      },
      resultOf: (run, id, now) => base.resultOf(run, id, now + 500),
    }),
  },
  {
    id: 'late-recordings',
    says: 'Recording and duration are there a while after the end.',
    behaviour: atFirst(1, (one) => without(one, 'recordingUrl', 'browserRecordingUrl', 'duration')),
  },
  {
    id: 'slow-recordings',
    says: 'A recording is there three seconds after the end was read.',
    gateway: (service, clock) => {
      const read = new Map<string, number>();
      return async (request) => {
        const answer = await service(request);
        const body: unknown = request.method === 'GET' ? await answer.clone().json() : undefined;
        if (!isFields(body) || typeof body.id !== 'string' || body.terminalAt === undefined) return answer;
        const ended = read.get(body.id) ?? clock.now();
        read.set(body.id, ended);
        return clock.now() - ended < 3000
          ? Response.json(without(body, 'recordingUrl', 'browserRecordingUrl'))
          : answer;
      };
    },
  },
  {
    id: 'stops-are-not-counted',
    says: 'Stops last for eight seconds, and duration counts the time of running alone.',
    behaviour: (base) => {
      const stepsOf = (run: Run) =>
        base.stepsOf(run).map((step) => (isStop(step.status) ? { ...step, ms: 8000 } : step));
      return {
        stepsOf,
        presentExecution: (run) => {
          const one = base.presentExecution(run);
          const steps = stepsOf(run);
          const lengthOf = (some: typeof steps) => some.reduce((sum, { ms = 0 }) => sum + ms, 0);
          const share = lengthOf(steps.filter(({ status }) => status === 'running')) / (lengthOf(steps) || 1);
          return one.duration === undefined ? one : { ...one, duration: Math.floor(one.duration * share) };
        },
      };
    },
  },
  {
    id: 'failed-runs-are-rerun',
    says: 'The service runs again what has failed or was cancelled, and a person what has completed once.',
    behaviour: (base) => {
      let completed: string | undefined;
      return showing((one, { start }) => {
        if (one.status === 'completed' && start.inputs) completed ??= one.id;
        return one.status === 'failed' || one.status === 'cancelled' || (completed === one.id && isTerminal(one.status))
          ? { ...one, hasBeenRerun: true }
          : one;
      })(base);
    },
  },
  {
    id: 'workspaces-are-cleared',
    says: 'Files of the workspace are removed once they were listed.',
    warns: ['files-stay-listed'],
    behaviour: (base) => {
      const listed = new Set<string>();
      return {
        presentFiles: (run, ...rest) => {
          const { directories, ...listing } = base.presentFiles(run, ...rest);
          const isOver = listed.has(run.id);
          if (directories.workspace.length > 0) listed.add(run.id);
          return { ...listing, directories: isOver ? { ...directories, workspace: [] } : directories };
        },
      };
    },
  },
  {
    id: 'temp-files-serve-once',
    says: 'A temp file is gone when the first run that it was given to has ended.',
    behaviour: (base) => {
      const gone = new Set<string>();
      return {
        findTempFile: (organization, file) => (gone.has(file.id) ? undefined : base.findTempFile(organization, file)),
        filesOf: (run, ...rest) => {
          for (const { id } of run.start.tempFiles) gone.add(id);
          return base.filesOf(run, ...rest);
        },
      };
    },
  },
  {
    id: 'late-files',
    says: 'Files are listed twenty seconds after the end.',
    behaviour: (base) => ({
      filesOf: (...args) => base.filesOf(...args).map((file) => ({ ...file, listedAt: file.listedAt + 20_000 })),
    }),
  },
  {
    id: 'quick-runs',
    says: 'Runs that have nothing to wait for have ended when they are first read.',
    behaviour: (base) => ({
      stepsOf: (run) => (isPlain(run) && lasts(run) < 500 ? base.stepsOf(run).slice(-1) : base.stepsOf(run)),
    }),
  },
  {
    id: 'never-running',
    says: 'Runs that never stop are starting until they end.',
    behaviour: (base) => ({
      stepsOf: (run) =>
        isPlain(run)
          ? base.stepsOf(run).map((step) => (step.status === 'running' ? { ...step, status: 'starting' } : step))
          : base.stepsOf(run),
    }),
  },
  {
    id: 'results-so-far',
    says: 'While an execution runs it shows the result so far, which another one follows at its end.',
    behaviour: showing((one) =>
      one.status === 'running'
        ? {
            ...one,
            executionResult: {
              id: one.id.replace(/^./, '7'),
              executionId: one.id,
              outcome: 'success',
              reasoning: '',
              result: null,
              createdAt: one.createdAt,
            },
          }
        : one,
    ),
  },
  {
    id: 'commented-runs',
    says: 'The service comments every execution, and puts labels on it that tell nothing.',
    behaviour: showing((one) => {
      const comment = (digit: string, content: string) => ({
        id: one.id.replace(/^./, digit),
        executionId: one.id,
        content,
        public: false,
        userId: one.agentId,
        createdAt: one.createdAt,
      });
      const last = isTerminal(one.status) ? [comment('8', 'Over.')] : [];
      return { ...one, comments: [...one.comments, comment('7', ''), ...last], humanLabels: [{}] };
    }),
  },
  {
    id: 'failures-on-the-way',
    says: 'Scripts fail while an execution runs, and tell nothing but when.',
    behaviour: showing((one) =>
      one.status === 'running' || isTerminal(one.status)
        ? { ...one, scriptFailures: [{ occurredAt: one.createdAt }, ...(one.scriptFailures ?? [])] }
        : one,
    ),
  },
  {
    id: 'back-to-starting',
    says: 'What runs is starting once more in between.',
    behaviour: (base) => ({
      stepsOf: (run) =>
        base
          .stepsOf(run)
          .flatMap((step) =>
            step.status === 'running' && step.ms !== undefined
              ? (['running', 'starting', 'running'] as const).map((status) => ({ status, ms: (step.ms ?? 0) / 3 }))
              : [step],
          ),
    }),
  },
  {
    id: 'brief-stops',
    says: 'The agent pauses every run for a moment before its end.',
    behaviour: (base) => ({
      stepsOf: (run) => {
        const steps = base.stepsOf(run);
        return [...steps.slice(0, -1), { status: 'paused_by_agent', ms: 60 }, ...steps.slice(-1)];
      },
    }),
  },
  {
    id: 'long-starts',
    says: 'Runs are starting for four seconds.',
    behaviour: (base) => ({
      stepsOf: (run) => base.stepsOf(run).map((step) => (step.status === 'starting' ? { ...step, ms: 4000 } : step)),
    }),
  },
];
