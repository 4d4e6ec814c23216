/** What the target file and the marks of the suite say would happen. */

import type { ExecutionStatus } from '../../generated/types.js';
import { isMeantToPass } from '../engine/outcome/expected.js';
import { sent } from '../engine/outcome/read.js';
import type { Exchange, Facts } from '../engine/vocabulary.js';
import { type WorkflowRole, workflowRoles } from './target/facts.js';

const reaches: Readonly<Record<WorkflowRole, ExecutionStatus>> = {
  completes: 'completed',
  fails: 'failed',
  cancelled: 'cancelled',
  pauses: 'paused',
  pausesByAgent: 'paused_by_agent',
  awaitsConfirmation: 'awaiting_confirmation',
  slow: 'completed',
  variantMode: 'completed',
  writesFiles: 'completed',
};

/**
 * The states that a run reaches by itself, as far as the target file says so. Of the editable head it says nothing, and
 * a run that the suite did not start may have been stopped by somebody.
 */
export const expectedStates = (start: Exchange, facts: Facts): ExecutionStatus[] =>
  start.mark?.notAsDeclared ? [] : declaredStates(start, facts);

/** The same, also of a run that went otherwise where the next one did not. */
export function declaredStates(start: Exchange, facts: Facts): ExecutionStatus[] {
  if (!isMeantToPass(start) || sent(start)?.head === true) return [];
  const { workflows, capacity } = facts;
  const roles = workflowRoles.filter((role) => workflows[role] === start.resource).map((role) => reaches[role]);
  return [...new Set(capacity?.workflow === start.resource ? [...roles, 'completed' as const] : roles)];
}
