import type { Run } from '../../conformance/check.js';
import type { Plan } from '../../conformance/engine/vocabulary/plan.js';
import type { Target } from '../../conformance/engine/vocabulary.js';
import { plan } from '../../conformance/plan.js';
import { type TargetFile, toTarget } from '../../conformance/suite/target/target.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';

/** The target file of the reference service as it stands. */
export const { target: usualFile } = createReference();

/** What a target file declares otherwise; undefined takes something out of it. */
export type Declared = { readonly [name in keyof TargetFile]?: TargetFile[name] | undefined };

export const usualTarget = (declared: Declared = {}): Target => toTarget({ ...usualFile, ...declared } as TargetFile);

/** Of what the journeys that start executions show, without those that fill a group. */
export const startsAlone = { allow: 'execute', capacity: undefined } as const;

/** One workflow, and all that takes no more starts than its own. */
export const oneWorkflow = {
  workflows: { completes: usualFile.workflows.completes },
  capacity: undefined,
  profileGroup: undefined,
} as const;

/** The journeys that delete the pool, and what uses it before. */
export const poolAlone = { ...oneWorkflow, profile: undefined, otherProfile: undefined } as const;

const runs = new Map<string, Promise<Run>>();
const plans = new Map<string, Promise<Plan>>();

/**
 * A run against the reference service as it stands, or with a fault. Each is made once for all tests of a worker: whoever looks
 * at it changes nothing of it.
 */
export function usualRun(declared: Declared = {}, fault?: string): Promise<Run> {
  const name = JSON.stringify([fault, { ...usualFile, ...declared }]);
  const run = runs.get(name) ?? checkInProcess({ faults: fault ? [fault] : [] }, { target: usualTarget(declared) });
  runs.set(name, run);
  return run;
}

/** The plan of such a run, made once as well. */
export function usualPlan(declared: Declared = {}): Promise<Plan> {
  const name = JSON.stringify({ ...usualFile, ...declared });
  const made = plans.get(name) ?? plan(usualTarget(declared));
  plans.set(name, made);
  return made;
}
