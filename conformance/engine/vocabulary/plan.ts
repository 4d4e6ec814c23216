/** What a run would send. */
import type { Effect, GapId, RuleId } from '../contract.js';
import type { Exploration, LeftBehind } from './report.js';

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
  /** The rules that it is sent for, beside those that every answer is judged by. */
  readonly serves: readonly RuleId[];
  /** The gaps that its answer tells something about. */
  readonly asks: readonly GapId[];
}

/** What a run takes, as far as it can be known before. Times in milliseconds. */
export interface Foreseen {
  readonly lastsMs: number;
  /** How long an execution is taken to last where the target file does not say how long; absent where it does of each. */
  readonly assumedMs?: number;
  /** The most executions that are under way at once, and how long they hold their places, all together. */
  readonly places: number;
  readonly heldMs: number;
  /** Executions that still hold their place when the run is over. */
  readonly held: number;
  /** What the executions cost, of those whose cost is declared, and how many others there are. */
  readonly cost?: { readonly known: number; readonly others: number };
}

/** A command of the operator's that a run would run. */
export interface PlannedHook {
  readonly hook: string;
  /** When, and for what. */
  readonly when: string;
  readonly command: string;
  /** What it takes away of what is left behind. */
  readonly ends?: LeftBehind['kind'];
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
  /** What they take; absent where none is started. */
  readonly foreseen?: Foreseen;
  readonly hooks?: readonly PlannedHook[];
  readonly duplicates: number;
  readonly leavesBehind: readonly string[];
  /** The steps that are sent for each rule, as `journey/step`; `*` for all. */
  readonly rules: readonly { readonly rule: RuleId; readonly steps: readonly string[] }[];
  /** With the steps that are not sent, `*` for what differs in their names. */
  readonly untested: readonly { readonly rule: RuleId; readonly why: string; readonly notSent: readonly string[] }[];
}
