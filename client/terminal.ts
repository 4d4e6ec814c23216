import { isTerminal as isTerminalStatus } from '../generated/lifecycle.js';
import type { TerminalExecutionStatus } from '../generated/types.js';
import { WorkflowError } from './errors.js';

/** Whether a status is one that an execution never leaves. */
export function isTerminal(status: string): status is TerminalExecutionStatus;
/** Whether an execution, or what a start answered, has ended. */
export function isTerminal<T extends { readonly status: string }>(
  execution: T,
): execution is T & { readonly status: TerminalExecutionStatus };
export function isTerminal(of: string | { readonly status: string }): boolean {
  const status = typeof of === 'string' ? of : of?.status;
  // A promise would never have ended, and a loop that asks would go on for ever.
  if (typeof status !== 'string')
    throw new WorkflowError(
      'invalid-request',
      'isTerminal: that is neither a status nor an execution; await the call that returns one.',
    );
  return isTerminalStatus(status);
}
