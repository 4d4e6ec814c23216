import { isTerminal as isTerminalStatus } from '../generated/lifecycle.js';
import type { TerminalExecutionStatus } from '../generated/types.js';
import { WorkflowError } from './errors.js';

/** Whether a status is terminal: `completed`, `failed` or `cancelled`. */
export function isTerminal(status: string): status is TerminalExecutionStatus;
/** Whether an execution, or the answer to a start, has a terminal status. */
export function isTerminal<T extends { readonly status: string }>(
  execution: T,
): execution is T & { readonly status: TerminalExecutionStatus };
export function isTerminal(of: string | { readonly status: string }): boolean {
  const status = typeof of === 'string' ? of : of?.status;
  // Otherwise a promise that was not awaited would count as not ended, and a polling loop would never stop.
  if (typeof status !== 'string')
    throw new WorkflowError(
      'invalid-request',
      'isTerminal: that is neither a status nor an execution; await the call that returns one.',
    );
  return isTerminalStatus(status);
}
