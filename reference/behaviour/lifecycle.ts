import { isTerminal } from '../../generated/lifecycle.js';
import { operations } from '../../generated/operations.js';
import type { ExecuteSyncRequest, ExecutionStatus, InitialExecutionStatus } from '../../generated/types.js';
import type { Choices } from '../choices.js';
import type { Step } from '../scenarios.js';
import type { Run } from '../store.js';

/** A call that names no wait waits as long. interface: Limits. */
const longestWaitSeconds = operations.executeSync.bounds.timeoutSeconds.maximum;

/** How a run moves from state to state, and how long a call waits for it. */
export function lifecycleBehaviour(choices: Choices) {
  const endsWaiting: readonly ExecutionStatus[] = {
    'at-once': ['paused', 'awaiting_confirmation'] as const,
    'at-once-by-agent-too': ['paused', 'awaiting_confirmation', 'paused_by_agent'] as const,
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

    /** Which of the queued runs starts next, of those that there is capacity for. */
    nextQueued: (queue: readonly Run[], hasCapacity: (run: Run) => boolean): Run | undefined => queue.find(hasCapacity),

    /** How long an answer to a start waits for the run. */
    asyncWaitMs: (): number => 0,
    syncWaitMs: ({ timeoutSeconds = longestWaitSeconds }: ExecuteSyncRequest): number => timeoutSeconds * 1000,

    /** Whether a waiting call is answered before its wait is over. */
    endsWait: ({ status }: Run): boolean => isTerminal(status) || endsWaiting.includes(status),
  };
}

/** Stops follow starting and are followed by the end: the times of the left-out steps go to the step before. */
function direct(steps: readonly Step[]): readonly Step[] {
  const isStop = (step: Step | undefined) =>
    step !== undefined && step.status !== 'starting' && step.status !== 'running' && !isTerminal(step.status);
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

/** One step for each run of equal ones. */
function merge(steps: readonly Step[]): readonly Step[] {
  const merged: Step[] = [];
  for (const step of steps) {
    const last = merged.at(-1);
    if (last?.status === step.status) merged[merged.length - 1] = { ...last, ms: (last.ms ?? 0) + (step.ms ?? 0) };
    else merged.push(step);
  }
  return merged;
}
