/**
 * How long is long. The interface has no time limit: that a run goes nowhere tells nothing by itself. It tells something
 * beside a run like it that got there, or beside the time that the operator declared.
 */
import type { Facts } from '../../engine/vocabulary.js';
import { type WorkflowRole, workflowRoles } from '../target/facts.js';

/** So many times as long as others is not slow any more. */
const many = 10;
/** What is over before anybody looks is no measure. */
const leastMs = 60_000;
/** How long to wait where nobody knows yet how long runs take. */
export const unmeasuredMs = 600_000;

/** Many times as long. */
export const manyTimes = (ms: number): number => Math.max(many * ms, leastMs);

/** How long a run of the workflow takes at most, in milliseconds, where the target file says so. */
export function declaredMs(workflow: string | null | undefined, { workflows, takes = {} }: Facts): number | undefined {
  const all = rolesOf(workflow, { workflows }).flatMap((role) => takes[role] ?? []);
  return all.length > 0 ? Math.max(...all) : undefined;
}

const rolesOf = (workflow: string | null | undefined, { workflows }: Pick<Facts, 'workflows'>): WorkflowRole[] =>
  workflowRoles.filter((role) => workflow !== undefined && workflows[role] === workflow);

/** What to declare, so that a run of the workflow is waited for longer. */
export function toWaitLonger(workflow: string | null | undefined, facts: Facts): string {
  const [role] = rolesOf(workflow, facts);
  return role === undefined
    ? 'to wait longer, declare pace.patienceSeconds'
    : `to wait longer, declare how long it takes (workflows.${role}.takes) or pace.patienceSeconds`;
}
