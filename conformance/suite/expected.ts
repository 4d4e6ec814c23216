/** What should happen, according to the target file and the marks of the suite. */

import type { ExecutionStatus } from '../../generated/types.js';
import { asked, isMeantToPass } from '../engine/outcome/read.js';
import type { Exchange, Facts } from '../engine/vocabulary.js';
import { placeOfUse, rolesOf, usesOf, type WorkflowRole } from './target/roles.js';

/** The status that a run of a workflow with this role reaches by itself. */
export const finalStatusOf: Readonly<Record<WorkflowRole, ExecutionStatus>> = {
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
 * The states that a run reaches by itself, if the target file says so. It says nothing of the editable head, and a run
 * that was disturbed from outside may reach others.
 */
export const expectedStates = (start: Exchange, facts: Facts): ExecutionStatus[] =>
  start.mark?.notAsDeclared ? [] : declaredStates(start, facts);

/** The same, also for a run that was disturbed. */
export function declaredStates(start: Exchange, facts: Facts): ExecutionStatus[] {
  if (!isMeantToPass(start) || start.mark?.changedByRequest || asked(start).head === true) return [];
  const states = rolesOf(start.resource, facts).map((role) => finalStatusOf[role]);
  return [...new Set(facts.capacity?.workflow === start.resource ? [...states, 'completed' as const] : states)];
}

/** How long a run of the workflow takes at most, in milliseconds, if the target file says so. */
export function declaredMs(workflow: string | null | undefined, facts: Facts): number | undefined {
  const all = usesOf(workflow, facts).flatMap((use) => facts.takes?.[use] ?? []);
  return all.length > 0 ? Math.max(...all) : undefined;
}

/** Advice: what to declare, so that the suite waits longer for a run of the workflow. */
export function adviceToWaitLonger(workflow: string | null | undefined, facts: Facts): string {
  const [use] = usesOf(workflow, facts);
  return use === undefined
    ? 'to wait longer, declare pace.patienceSeconds'
    : `to wait longer, declare how long it takes (${placeOfUse(use)}.takes) or pace.patienceSeconds`;
}
