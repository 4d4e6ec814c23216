import type { Document } from './document.js';
import { resolve } from './resolve.js';
import { source } from './text.js';

/** The kinds of states. Each status is of one. */
export const kinds = ['initial', 'active', 'stopped', 'terminal'] as const;

export interface Lifecycle extends Record<(typeof kinds)[number], string[]> {
  transitions: { from?: string; to?: string; when: string }[];
}

/** Generates the states and transitions from `x-lifecycle` of ExecutionStatus. */
export function lifecycleModule(document: Document): string {
  const status = resolve<{ enum?: string[]; 'x-lifecycle'?: Lifecycle }>(document, {
    $ref: '#/components/schemas/ExecutionStatus',
  });
  const lifecycle = status['x-lifecycle'];
  if (!status.enum || !lifecycle) throw new Error('ExecutionStatus needs an enum and x-lifecycle.');
  const { initial, active, stopped, terminal } = lifecycle;
  const ofKinds = kinds.flatMap((kind) => lifecycle[kind]);
  const transitions = lifecycle.transitions.map(({ from = null, to = null, when }) => ({ from, to, when }));
  for (const named of [...ofKinds, ...transitions.flatMap(({ from, to }) => [from, to])])
    if (named !== null && !status.enum.includes(named))
      throw new Error(`x-lifecycle names ${named}, which ExecutionStatus does not have.`);
  for (const word of status.enum)
    if (ofKinds.filter((one) => one === word).length !== 1)
      throw new Error(`x-lifecycle has to name ${word} once, as one of ${kinds.join(', ')}.`);

  const parts = { Initial: initial, Unfinished: [...initial, ...active, ...stopped], Terminal: terminal };
  for (const [part, words] of Object.entries(parts)) {
    const { enum: listed = [] } = resolve<{ enum?: string[] }>(document, {
      $ref: `#/components/schemas/${part}ExecutionStatus`,
    });
    if (listed.toSorted().join() !== words.toSorted().join())
      throw new Error(
        `${part}ExecutionStatus lists ${listed.join(', ')}, but by x-lifecycle it is ${words.join(', ')}.`,
      );
  }

  return `import type { ExecutionStatus, InitialExecutionStatus, TerminalExecutionStatus } from './types.js';

export const executionStatuses = ${source(status.enum)} as const satisfies readonly ExecutionStatus[];

/** The states that an execution never leaves. */
export const terminalStatuses = ${source(terminal)} as const satisfies readonly TerminalExecutionStatus[];

/** The states in which an execution waits to go on. Whether it does by itself is open. */
export const stoppedStatuses = ${source(stopped)} as const satisfies readonly ExecutionStatus[];

/** The states that an execution can be created in. */
export const initialStatuses = ${source(initial)} as const satisfies readonly InitialExecutionStatus[];

/**
 * The transitions that the interface shows; others are open. \`from\` is null for a new execution, \`to\` is null if
 * the interface does not name the state.
 */
export const shownTransitions = ${source(transitions)} as const satisfies readonly {
  readonly from: ExecutionStatus | null;
  readonly to: ExecutionStatus | null;
  readonly when: string;
}[];

export const isTerminal = (status: string): status is TerminalExecutionStatus =>
  (terminalStatuses as readonly string[]).includes(status);

export const isStopped = (status: string): status is (typeof stoppedStatuses)[number] =>
  (stoppedStatuses as readonly string[]).includes(status);

export const isInitial = (status: string): status is InitialExecutionStatus =>
  (initialStatuses as readonly string[]).includes(status);
`;
}
