/** What a target is, before anything was sent. */
import type { OperationId } from '../../../generated/operations.js';
import type { Effect } from '../../../generated/rules.js';

export type { Effect } from '../../../generated/rules.js';

/** The worst that a request does to the target; each includes the ones before it. */
export const effects = ['read', 'execute', 'write', 'delete'] as const satisfies readonly Effect[];

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

/** What a target file declares of a target, without its keys: all that a judge may know beside the evidence. */
export interface Facts {
  /** Without a trailing slash; may carry a path of its own before `/agents/v2`. */
  readonly baseUrl: string;
  readonly stateful: boolean;
  readonly allow: Effect;
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
  /** The operations that the restricted key may not do; absent without such a key. */
  readonly restricted?: { readonly denied: readonly OperationId[] };
  readonly pace: {
    readonly requestsPerSecond: number;
    readonly concurrency: number;
    readonly patienceSeconds: number;
    readonly latencyGraceMs: number;
  };
  /** Without a number of executions a run starts what its rules take, and nothing that only repeats. */
  readonly budget: { readonly executions?: number; readonly copies: number };
}
