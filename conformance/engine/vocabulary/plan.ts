/** The plan of a run, as `--plan` prints it. */
import type { Effect, GapId, RuleId } from '../contract.js';
import type { LeftBehind } from './report.js';

/** A request of the plan. */
export interface PlannedStep {
  readonly step: string;
  readonly operation: string;
  readonly method: string;
  /** Ids that are not known before the run stay placeholders: `/things/{id}`. */
  readonly path: string;
  /** How often it is sent. A step with `repeats` polls until a state is reached, and is sent at least this often. */
  readonly times: number;
  readonly repeats: boolean;
  /** The rules that it is sent for, besides those that judge every answer. */
  readonly serves: readonly RuleId[];
  /** The gaps that its answer is an observation of. */
  readonly asks: readonly GapId[];
}

/** The estimated duration and cost of a run. Times are in milliseconds. */
export interface Foreseen {
  readonly lastsMs: number;
  /** When each step is first sent, by `scenario/step`. */
  readonly sentAtMs: Readonly<Record<string, number>>;
  /** The assumed duration of executions for which the target file gives none, and of what. Absent if it gives one for each. */
  readonly assumed?: { readonly ms: number; readonly of: readonly string[] };
  /** The most executions that run at the same time, and the sum of their durations. */
  readonly places: number;
  readonly heldMs: number;
  /** Executions that are still running when the run ends. */
  readonly held: number;
  /** The cost of the executions: the sum of the declared costs, and how many executions have none declared. */
  readonly cost?: { readonly known: number; readonly others: number };
}

/** A command of the operator that a suite run would call. */
export interface PlannedHook {
  readonly hook: string;
  /** When it is called, and for what. */
  readonly when: string;
  readonly command: string;
  /** The kind of leftover that it removes. */
  readonly ends?: LeftBehind['kind'];
}

/** What a run would send, and which rules it would leave untested. */
export interface Plan {
  readonly journeys: readonly {
    readonly id: string;
    readonly effect: Effect;
    readonly steps: readonly PlannedStep[];
  }[];
  /** Polls that repeat until a state is reached are not counted. */
  readonly requests: number;
  readonly executions: number;
  /** Absent where no execution is started. */
  readonly foreseen?: Foreseen;
  readonly hooks?: readonly PlannedHook[];
  readonly duplicates: number;
  readonly leavesBehind: readonly string[];
  /** The steps that are sent for each rule, as `scenario/step`; `*` means all. */
  readonly rules: readonly { readonly rule: RuleId; readonly steps: readonly string[] }[];
  /** With the steps that are not sent; `*` stands for the part of their names that varies. */
  readonly untested: readonly { readonly rule: RuleId; readonly why: string; readonly notSent: readonly string[] }[];
}
