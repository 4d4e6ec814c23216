import type { Run } from '../../conformance/check.js';
import type { Target } from '../../conformance/engine/send/request-spec.js';
import type { Plan } from '../../conformance/engine/vocabulary/report.js';
import { plan } from '../../conformance/plan.js';
import { type TargetFile, toTarget } from '../../conformance/suite/target/target.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';

/** The target file of the reference service. */
export const { fixtures: usualFile } = createReference();

type Service = Parameters<typeof checkInProcess>[0];

/** What a target file declares differently; undefined removes an entry. */
export type Declared = { readonly [name in keyof TargetFile]?: TargetFile[name] | undefined };

export const usualTarget = (declared: Declared = {}): Target => toTarget({ ...usualFile, ...declared } as TargetFile);

/** A target for the scenarios that start executions, without those that fill a group. */
export const startsAlone = { allow: 'execute', capacity: undefined } as const;

/** A target with one workflow, and all that needs no other. */
export const oneWorkflow = {
  workflows: { completes: usualFile.workflows.completes },
  capacity: undefined,
  profileGroup: undefined,
} as const;

/** A target for the scenarios that use and delete the pool. */
export const poolAlone = { ...oneWorkflow, profile: undefined, otherProfile: undefined } as const;

/** A run that sends what one rule needs, and judges nothing else: a tenth of a run. */
export const runFor = (rule: string, declared: Declared = {}, service: Service = {}): Promise<Run> =>
  checkInProcess(service, { target: usualTarget(declared), selected: ({ id }) => id === rule });

const runs = new Map<string, Promise<Run>>();
const plans = new Map<string, Promise<Plan>>();

/** A run against the reference service, possibly with a fault. Cached for the tests of a worker: do not change it. */
export function usualRun(declared: Declared = {}, fault?: string): Promise<Run> {
  const name = JSON.stringify([fault, { ...usualFile, ...declared }]);
  const run = runs.get(name) ?? checkInProcess({ faults: fault ? [fault] : [] }, { target: usualTarget(declared) });
  runs.set(name, run);
  return run;
}

/** The plan of such a run, cached too. */
export function usualPlan(declared: Declared = {}): Promise<Plan> {
  const name = JSON.stringify({ ...usualFile, ...declared });
  const made = plans.get(name) ?? plan(usualTarget(declared));
  plans.set(name, made);
  return made;
}

/** How many more rules a run left untested than its plan predicted, or fewer, with the names of those that differ. */
export function predicted({ untested }: Plan, { rules }: Run): { readonly error: number; readonly differing: string } {
  const left = rules.flatMap(({ id, verdict }) => (verdict === 'untested' ? [id] : []));
  const planned = untested.map(({ rule }) => rule);
  const only = (of: readonly string[], beside: readonly string[]) =>
    of.filter((id) => !beside.includes(id)).join(', ') || 'none';
  return {
    error: Math.abs(planned.length - left.length),
    differing: `untested by the plan, but not in the run: ${only(planned, left)}; in the run, but not by the plan: ${only(left, planned)}`,
  };
}

/** The remark on every run whose target file declares workflows that stop, and no command that ends them. */
export const isHeldBack = (remark: string): boolean => remark.startsWith('Not started: workflows.');
