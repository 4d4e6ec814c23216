/** What a run would send. */
import type { Effect, RuleId } from '../contract.js';
import type { Exploration } from './report.js';

/** A request of the plan. */
export interface PlannedStep {
  readonly step: string;
  readonly operation: string;
  readonly method: string;
  /** Ids that the target file does not name are not known before the run: `/things/{id}`. */
  readonly path: string;
  /** How often; a step that repeats until a state shows is sent at least this often. */
  readonly times: number;
  readonly repeats: boolean;
}

/** What a run would send, and what it would leave untested. */
export interface Plan {
  readonly journeys: readonly {
    readonly id: string;
    readonly effect: Effect;
    readonly steps: readonly PlannedStep[];
  }[];
  /** Without the readings that repeat until a state shows. */
  readonly requests: number;
  /** How many of the requests an exploration makes up with this seed. */
  readonly explored?: Exploration;
  readonly executions: number;
  readonly duplicates: number;
  readonly leavesBehind: readonly string[];
  readonly untested: readonly { readonly rule: RuleId; readonly why: string }[];
}
