/** The workflows of a target file, each under what a run of it does by itself. */

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
/** What a workflow of the target file is declared to do. */
export type WorkflowRole = (typeof workflowRoles)[number];

/** All that a workflow is declared to do. */
export const rolesOf = (workflow: string | null | undefined, { workflows }: Pick<Facts, 'workflows'>): WorkflowRole[] =>
  workflowRoles.filter((role) => workflow !== undefined && workflows[role] === workflow);
