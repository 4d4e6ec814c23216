/** The roles of workflows in a target file: what a run of each does by itself. */

import type { Facts } from '../../engine/vocabulary.js';

export const workflowRoles = [
  'completes',
  'fails',
  'cancelled',
  'pauses',
  'pausesByAgent',
  'awaitsConfirmation',
  'slow',
  'variantMode',
  'writesFiles',
] as const;
/** What a workflow is declared to do. */
export type WorkflowRole = (typeof workflowRoles)[number];

/** What a workflow is declared for: a role, or to fill the capacity group. */
export type WorkflowUse = WorkflowRole | 'capacity';
export const workflowUses = [...workflowRoles, 'capacity'] as const satisfies readonly WorkflowUse[];

/** The workflow that is declared for a use. */
export const workflowFor = (use: WorkflowUse, { workflows, capacity }: Pick<Facts, 'workflows' | 'capacity'>) =>
  use === 'capacity' ? capacity?.workflow : workflows[use];

/** Where a target file names it. */
export const placeOfUse = (use: WorkflowUse): string => (use === 'capacity' ? 'capacity.workflow' : `workflows.${use}`);

/** All uses that a workflow is declared for. */
export const usesOf = (workflow: string | null | undefined, facts: Pick<Facts, 'workflows' | 'capacity'>) =>
  workflowUses.filter((use) => workflow !== undefined && workflowFor(use, facts) === workflow);

/** All roles that a workflow is declared for. */
export const rolesOf = (workflow: string | null | undefined, { workflows }: Pick<Facts, 'workflows'>): WorkflowRole[] =>
  workflowRoles.filter((role) => workflow !== undefined && workflows[role] === workflow);
