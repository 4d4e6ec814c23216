import type { Fault } from './fault.js';

/** What becomes of an execution, and how it is shown. */
export const executionFaults: readonly Fault[] = [
  {
    id: 'completed-runs-run-again',
    breaks: ['terminal-is-final'],
    says: 'An execution that has completed runs and completes once more.',
    behaviour: (base) => ({
      mayMove: () => true,
      stepsOf: (run) => {
        const steps = base.stepsOf(run);
        const last = steps.at(-1);
        if (last?.status !== 'completed') return steps;
        return [...steps.slice(0, -1), { ...last, ms: 300 }, { status: 'running', ms: 300 }, last];
      },
    }),
  },
  {
    id: 'duration-in-milliseconds',
    breaks: ['duration-is-in-seconds'],
    says: 'duration counts milliseconds.',
    behaviour: (base) => ({
      presentExecution: (run) => {
        const { duration, ...execution } = base.presentExecution(run);
        const { startedAt = 0, terminalAt = 0 } = run;
        return duration === undefined ? execution : { ...execution, duration: terminalAt - startedAt };
      },
    }),
  },
];
