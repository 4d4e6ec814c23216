/** What a target file declares of a service of this interface. */

import type * as register from '../../../generated/rules.js';
import type { WorkflowRole } from './roles.js';

/** The worst that a request does to the target; each includes the ones before it. */
export const effects = ['read', 'execute', 'write', 'delete'] as const satisfies readonly register.Effect[];

/** Commands for what the interface has no operation for; a shell runs each. */
export interface Hooks {
  readonly makePool?: string;
  readonly makeTempFile?: string;
  readonly cancelExecution?: string;
  readonly resumeExecution?: string;
  readonly deleteCopy?: string;
}

declare module '../../engine/vocabulary/target.js' {
  interface Facts {
    /** Nothing is sent that an intrusion detector reports. */
    readonly gentle?: boolean;
    readonly workflows: { readonly [role in WorkflowRole]?: string };
    /** What every run of a workflow is given, beside what the suite gives. */
    readonly inputs?: { readonly [role in WorkflowRole]?: Readonly<Record<string, unknown>> };
    /** How long a run of it takes at most, in milliseconds, and what it costs. */
    readonly takes?: { readonly [role in WorkflowRole]?: number };
    readonly cost?: { readonly [role in WorkflowRole]?: number };
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
  interface Target {
    readonly hooks?: Hooks;
  }
}
