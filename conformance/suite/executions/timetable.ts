/** When a run starts its executions, how long they last and what they cost, by what the target file declares. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Scenario as Scripted } from '../../engine/scenario/schedule.js';
import type { Cost } from '../../engine/vocabulary/report.js';
import type { Facts } from '../../engine/vocabulary.js';
import { declaredMs, finalStatusOf, usesOf, type WorkflowUse, workflowFor } from '../target/roles.js';
import { countOf, type StartingStepSpec } from './steps.js';

type Scenario = Pick<Scripted<never>, 'id' | 'after'>;

/** An execution that a run starts; times in milliseconds since its beginning. */
export interface PlannedExecution {
  readonly step: string;
  readonly use: WorkflowUse;
  readonly from: number;
  /** When it ends, or stops. */
  readonly until: number;
  /** It stops, and keeps its place until somebody ends it. */
  readonly isHeld: boolean;
}

export interface Timetable {
  readonly executions: readonly PlannedExecution[];
  /** When each scenario begins. */
  readonly begins: ReadonlyMap<string, number>;
  readonly lastsMs: number;
}

/** How long an execution lasts if the target file does not say: as long as the longest of which it does. */
export const assumedMs = ({ takes = {} }: Facts): number =>
  Object.keys(takes).length > 0 ? Math.max(...Object.values(takes)) : 120_000;

/** What executions of these workflows cost: the sum of the declared costs, and how many have none declared. */
export function costOf(workflows: readonly (string | null | undefined)[], facts: Facts): Cost | undefined {
  if (!facts.cost) return undefined;
  const declared = workflows.map((workflow) => usesOf(workflow, facts).flatMap((use) => facts.cost?.[use] ?? [])[0]);
  const known = declared.filter((cost) => cost !== undefined);
  return { known: known.reduce((sum, cost) => sum + cost, 0), others: declared.length - known.length };
}

/** Whether a workflow of this use stops instead of ending. */
const stops = (use: WorkflowUse): boolean => use !== 'capacity' && !isTerminal(finalStatusOf[use]);

/** The earliest time from which fewer than `most` of these are under way for so long. */
function firstGap(all: readonly PlannedExecution[], from: number, ms: number, most: number): number {
  const isFree = (at: number) => all.filter((one) => one.from < at + ms && one.until > at).length < most;
  const times = [from, ...all.map(({ until }) => until).filter((until) => until > from)].sort((a, b) => a - b);
  return times.find(isFree) ?? from;
}

/** `scenarios` and `steps`: those of the run, in their order. */
export function timetable(facts: Facts, scenarios: readonly Scenario[], steps: readonly StartingStepSpec[]): Timetable {
  const executions: PlannedExecution[] = [];
  const begins = new Map<string, number>();
  const ends = new Map<string, number>();
  const lastOf = (step: string) => executions.filter((one) => one.step === step).map(({ until }) => until);
  for (const { id, after = [] } of scenarios) {
    const begin = Math.max(0, ...after.map((earlier) => ends.get(earlier) ?? 0));
    begins.set(id, begin);
    for (const one of steps.filter(({ step }) => step.startsWith(`${id}/`))) {
      const { of: declared = 'completes', step, follows = [] } = one;
      const use = workflowFor(declared, facts) === undefined ? 'completes' : declared;
      const ms = declaredMs(workflowFor(use, facts), facts) ?? assumedMs(facts);
      // The first execution shows how long they take, if that is not declared.
      const [first] = executions;
      const known = facts.takes || !first ? 0 : first.until;
      const from = Math.max(begin, known, ...follows.flatMap(lastOf));
      for (let count = countOf(one, facts); count > 0; count -= 1) {
        const inGroup = executions.filter((other) => id === 'capacity' && other.step.startsWith('capacity/'));
        const at = Math.max(
          firstGap(executions, from, ms, facts.budget.places ?? Number.POSITIVE_INFINITY),
          firstGap(inGroup, from, ms, facts.capacity?.size ?? Number.POSITIVE_INFINITY),
        );
        executions.push({ step, use, from: at, until: at + ms, isHeld: stops(use) });
      }
    }
    const own = executions.filter(({ step }) => step.startsWith(`${id}/`)).map(({ until }) => until);
    ends.set(id, Math.max(begin, ...own));
  }
  return { executions, begins, lastsMs: Math.max(0, ...ends.values()) };
}
