import { isStopped, isTerminal, stoppedStatuses } from '../../generated/lifecycle.js';
import { operations } from '../../generated/operations.js';
import type { ExecuteSyncRequest, ExecutionStatus, InitialExecutionStatus } from '../../generated/types.js';
import type { Choices } from '../choices.js';
import type { Step } from '../scenarios.js';
import type { Run } from '../store.js';

/** interface: Limits. */
const usualWaitSeconds = operations.executeSync.waits.usual;

/** The behaviour for state changes, and how long a call waits for them. */
export function lifecycleBehaviour(choices: Choices) {
  const endsWaiting: readonly ExecutionStatus[] = {
    'at-once': ['paused', 'awaiting_confirmation'] as const,
    'at-once-by-agent-too': stoppedStatuses,
    'after-wait': [],
  }[choices['sync-returns-on-pause']];

  return {
    initialStatus: (admission: 'start' | 'queue'): InitialExecutionStatus =>
      admission === 'queue' ? 'queued' : 'starting',

    /** The states that a run goes through once it starts. */
    stepsOf: ({ workflow, status }: Run): readonly Step[] => {
      const steps =
        choices['other-transitions'] === 'direct' ? direct(workflow.scenario.steps) : workflow.scenario.steps;
      return status === 'queued' && choices['state-after-queued'] === 'running' ? withoutStarting(steps) : steps;
    },

    /** The guard of every move. interface: Resources, Execution status; States and transitions. */
    mayMove: (from: ExecutionStatus, to: ExecutionStatus): boolean => !isTerminal(from) && to !== 'queued',

    /** The queued run that starts next: the oldest for which there is capacity. */
    nextQueued: (queue: readonly Run[], hasCapacity: (run: Run) => boolean): Run | undefined => queue.find(hasCapacity),

    /** How long the answers to starts wait for the run. */
    asyncWaitMs: (): number => 0,
    syncWaitMs: ({ timeoutSeconds = usualWaitSeconds }: ExecuteSyncRequest): number => timeoutSeconds * 1000,

    /** Whether a synchronous call is answered now, before its wait is over. */
    endsWait: ({ status }: Run): boolean => isTerminal(status) || endsWaiting.includes(status),
  };
}

/** Removes `running` before and after stops; its time is added to the step before. */
function direct(steps: readonly Step[]): readonly Step[] {
  const isStop = (step: Step | undefined) => step !== undefined && isStopped(step.status);
  return merge(
    steps.map((step, index) => {
      const previous = steps[index - 1];
      const beside = isStop(steps[index + 1]) || isStop(previous);
      return step.status === 'running' && beside && previous ? { ...step, status: previous.status } : step;
    }),
  );
}

const withoutStarting = (steps: readonly Step[]): readonly Step[] =>
  merge(steps.map((step) => (step.status === 'starting' ? { ...step, status: 'running' } : step)));

/** Merges adjacent steps with the same status. */
function merge(steps: readonly Step[]): readonly Step[] {
  const merged: Step[] = [];
  for (const step of steps) {
    const last = merged.at(-1);
    if (last?.status === step.status) merged[merged.length - 1] = { ...last, ms: (last.ms ?? 0) + (step.ms ?? 0) };
    else merged.push(step);
  }
  return merged;
}
