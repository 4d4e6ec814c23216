import { isTerminal as isTerminalStatus } from '../generated/lifecycle.js';
import type { TerminalExecutionStatus } from '../generated/types.js';

/** Whether a status is one that an execution never leaves. */
export function isTerminal(status: string): status is TerminalExecutionStatus;
/** Whether an execution, or what a start answered, has ended. */
export function isTerminal<T extends { readonly status: string }>(
  execution: T,
): execution is T & { readonly status: TerminalExecutionStatus };
export function isTerminal(of: string | { readonly status: string }): boolean {
  return isTerminalStatus(typeof of === 'string' ? of : of.status);
}
