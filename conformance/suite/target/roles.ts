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

/** All roles that a workflow is declared for. */
export const rolesOf = (workflow: string | null | undefined, { workflows }: Pick<Facts, 'workflows'>): WorkflowRole[] =>
  workflowRoles.filter((role) => workflow !== undefined && workflows[role] === workflow);
