/** The roles of workflows in a target file: what a run of each does by itself. */

import type * as register from '../../../generated/rules.js';
import type { ExecutionStatus } from '../../../generated/types.js';
import { isMeantToPass, requestFields } from '../../engine/outcome/read.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';

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
const rolesOf = (workflow: string | null | undefined, { workflows }: Pick<Facts, 'workflows'>): WorkflowRole[] =>
  workflowRoles.filter((role) => workflow !== undefined && workflows[role] === workflow);

// What a target file declares about a service of this interface.

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
}

declare module '../../engine/send/request-spec.js' {
  interface Target {
    readonly hooks?: Hooks;
  }
}

// What should happen, according to the target file and the marks of the suite.

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
  start.wasRepeated ? [] : declaredStates(start, facts);

/** The same, also for a run that was disturbed. */
export function declaredStates(start: Exchange, facts: Facts): ExecutionStatus[] {
  if (!isMeantToPass(start) || start.changedByRequest || requestFields(start).head === true) return [];
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
