/** What a target file declares of a service of this interface. */

import type * as register from '../../../generated/rules.js';

/** The worst that a request does to the target; each includes the ones before it. */
export const effects = ['read', 'execute', 'write', 'delete'] as const satisfies readonly register.Effect[];

/** What a run of a workflow does by itself. */
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

declare module '../../engine/vocabulary/target.js' {
  interface Facts {
    readonly workflows: { readonly [role in WorkflowRole]?: string };
    readonly publishedVersion?: number;
    readonly execution?: string;
    readonly profile?: string;
    readonly otherProfile?: string;
    readonly profileGroup?: string;
    readonly pool?: string;
    readonly otherOrganization?: string;
    readonly tempFile?: { readonly id: string; readonly name: string };
    readonly agentHardTimeoutMins?: number;
    readonly capacity?: { readonly profileGroup: string; readonly size: number; readonly workflow: string };
  }
}
