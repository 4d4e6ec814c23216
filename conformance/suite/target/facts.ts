/** What a target file declares about a service of this interface. */

import type * as register from '../../../generated/rules.js';
import type { WorkflowRole, WorkflowUse } from './roles.js';

/** The worst effect of a request on the target; each includes the ones before it. */
export const effects = ['read', 'execute', 'write', 'delete'] as const satisfies readonly register.Effect[];

/** Commands for what the interface has no operation for. A shell runs them. */
export interface Hooks {
  readonly makePool?: string;
  readonly makeTempFile?: string;
  readonly cancelExecution?: string;
  readonly resumeExecution?: string;
  readonly deleteCopy?: string;
}

declare module '../../engine/vocabulary.js' {
  interface Facts {
    /** Send nothing that an intrusion detection system would report. */
    readonly gentle?: boolean;
    readonly workflows: { readonly [role in WorkflowRole]?: string };
    /** Inputs that every run of a workflow gets, besides those of the suite. */
    readonly inputs?: { readonly [use in WorkflowUse]?: Readonly<Record<string, unknown>> };
    /** How long a run takes at most, in milliseconds, and what it costs. */
    readonly takes?: { readonly [use in WorkflowUse]?: number };
    readonly cost?: { readonly [use in WorkflowUse]?: number };
    readonly publishedVersion?: number;
    readonly execution?: string;
    readonly profile?: string;
    readonly otherProfile?: string;
    /** A disposable profile, which every run changes. */
    readonly scratchProfile?: string;
    readonly profileGroup?: string;
    readonly pool?: string;
    /** Whether the pool was made for this run: then no other client deletes it. */
    readonly isPoolMade?: true;
    readonly otherOrganization?: string;
    readonly tempFile?: { readonly id: string; readonly name: string };
    readonly agentHardTimeoutMins?: number;
    /** Whether a command of the target file ends or resumes what has stopped. */
    readonly endsExecutions?: boolean;
    readonly capacity?: {
      readonly profileGroup: string;
      readonly size: number;
      readonly workflow: string;
      /** Nobody else starts anything in it during a run. */
      readonly exclusive?: boolean;
    };
  }
  interface Target {
    readonly hooks?: Hooks;
  }
}
