import { type Document, resolve } from './document.js';
import { source } from './text.js';

interface Lifecycle {
  initial: string[];
  terminal: string[];
  transitions: { from?: string; to?: string; when: string }[];
}

/** Generates the states and transitions from `x-lifecycle` of ExecutionStatus. */
export function lifecycleModule(document: Document): string {
  const status = resolve<{ enum?: string[]; 'x-lifecycle'?: Lifecycle }>(document, {
    $ref: '#/components/schemas/ExecutionStatus',
  });
  const lifecycle = status['x-lifecycle'];
  if (!status.enum || !lifecycle) throw new Error('ExecutionStatus needs an enum and x-lifecycle.');
  const { initial, terminal } = lifecycle;
  const transitions = lifecycle.transitions.map(({ from = null, to = null, when }) => ({ from, to, when }));
  for (const named of [...initial, ...terminal, ...transitions.flatMap(({ from, to }) => [from, to])])
    if (named !== null && !status.enum.includes(named))
      throw new Error(`x-lifecycle names ${named}, which ExecutionStatus does not have.`);

  return `import type { ExecutionStatus, InitialExecutionStatus, TerminalExecutionStatus } from './types.js';

export const executionStatuses = ${source(status.enum)} as const satisfies readonly ExecutionStatus[];

/** The states that an execution never leaves. */
export const terminalStatuses = ${source(terminal)} as const satisfies readonly TerminalExecutionStatus[];

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
`;
}
