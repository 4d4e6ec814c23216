/** The report of a run, and the parts that it is made of. */

import type { components } from '../../../generated/report-types.js';
import type { CallerRuleId, Effect, GapId, OperationId, RuleId } from '../contract.js';
import type { Evidence, Exchange } from '../vocabulary.js';

// The plan of a run, as `--plan` prints it.

/** A scenario that a run would send. */
export interface PlannedScenario {
  readonly id: string;
  readonly effect: Effect;
  /** The operations that its requests are of. */
  readonly operations: readonly OperationId[];
  /** How many executions it starts. */
  readonly executions: number;
  /** When it begins, in milliseconds since the run's beginning. */
  readonly fromMs: number;
  /** Its steps, as `scenario/step`, and the rules that they are sent for, besides those that judge every answer. */
  readonly steps: readonly { readonly step: string; readonly serves: readonly RuleId[] }[];
}

/** What the executions of a run take. */
export interface Foreseen {
  readonly lastsMs: number;
  /** The assumed duration of executions for which the target file gives none, and of what. Absent if it gives one for each. */
  readonly assumed?: { readonly ms: number; readonly of: readonly string[] };
  /** The most executions that run at the same time, and the sum of their durations. */
  readonly places: number;
  readonly heldMs: number;
  /** The sum of the declared costs, and how many executions have none declared. */
  readonly cost?: Cost;
  /** How many executions of each workflow. */
  readonly executions: readonly { readonly workflow: string; readonly count: number }[];
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

/** What a run would send. */
export interface Plan {
  readonly scenarios: readonly PlannedScenario[];
  /** About how many, besides polls. */
  readonly requests: number;
  readonly executions: number;
  /** Never more, whatever happens to requests. */
  readonly mostExecutions: number;
  /** Absent where no execution is started. */
  readonly foreseen?: Foreseen;
  readonly hooks?: readonly PlannedHook[];
  /** The most copies of the profile that it makes. */
  readonly copies: number;
  readonly leavesBehind: readonly string[];
  /** The steps that are sent for each rule, as `scenario/step`; `*` means all. */
  readonly rules: readonly { readonly rule: RuleId; readonly steps: readonly string[] }[];
  /** With the steps that are not sent; `*` stands for the part of their names that varies. */
  readonly untested: readonly { readonly rule: RuleId; readonly why: string; readonly notSent: readonly string[] }[];
}

/** Whether the target can be judged, and if not, why. */
export type Preflight = { readonly usable: true } | { readonly usable: false; readonly reason: string };

// The report, as its schema describes it. The descriptions of its fields are in report.schema.json.

type Written = components['schemas']['report'];

/** A whole report, with the names of the contract. Every output format is written from it. */
export interface Report
  extends Omit<Written, 'headline' | 'rules' | 'callers' | 'gaps' | 'latencies' | 'transitions' | 'exchanges'> {
  readonly rules: readonly RuleVerdict[];
  readonly callers: readonly RuleVerdict<CallerRuleId>[];
  readonly gaps: readonly { readonly id: GapId; readonly observed: readonly string[] }[];
  readonly latencies?: { readonly [operation in OperationId]?: Latency };
  readonly transitions: readonly Transition[];
  readonly exchanges: readonly ReportedExchange[];
}

export type LeftBehind = Written['leftBehind'][number];
export type ScenarioTime = Written['scenarios'][number];
export type ReportedOptions = Written['options'];
export type Latency = NonNullable<Written['latencies']>[string];
export type Cost = NonNullable<Written['cost']>;
/** A common trait of several violations, which may be their cause. */
export type Cause = NonNullable<Written['causes']>[number];
/** The differences from earlier runs. Each violation, by its signature, is in one list at most. */
export type Changes = NonNullable<Written['changes']>;
/** One way in which a rule is or was violated. */
export type Change = Changes['broken'][number];
/** A violation as the runs up to the last one saw it. */
export type Remembered = Changes['remembered'][number];

/** An exchange as the report shows it. */
export interface ReportedExchange extends Omit<Exchange, 'mark'> {
  readonly scenario: string;
  readonly step: string;
  /** A command that sends the request again, with the key as a shell variable. */
  readonly curl: string;
}

type Reported =
  | 'rules'
  | 'gaps'
  | 'transitions'
  | 'statesNotSeen'
  | 'steps'
  | 'scenarios'
  | 'leftBehind'
  | 'startedAt'
  | 'durationMs'
  | 'longestWaitMs';

/** The result of one run, from which the report is assembled. The picked parts are in the report unchanged. */
export interface Run extends Pick<Report, Reported | 'requests' | 'executionsStarted' | 'cost' | 'soak' | 'remarks'> {
  readonly preflight: Preflight;
  readonly evidence: Evidence;
  readonly smaller?: readonly string[];
  readonly seed: number;
  /** What became of the violations of an earlier report, if only these were sent. */
  readonly again?: readonly {
    readonly rule: string;
    readonly level: 'MUST' | 'SHOULD';
    readonly violation: Violation;
    readonly now: 'gone' | 'still there' | 'undecided';
    /** Why it is undecided. */
    readonly why?: string;
  }[];
  /** Why the run ended early. */
  readonly stopped?: string;
}

/** The formats of `--report FORMAT=FILE`: here, so that `--help` does not load the writers. */
export const reportFormats = ['json', 'junit', 'markdown', 'html', 'har'] as const;
export type ReportFormat = (typeof reportFormats)[number];
export type Verdict = 'passed' | 'violated' | 'untested' | 'not-applicable' | 'inconclusive';

/** One way in which a rule is violated on one operation, however often. */
export interface Violation {
  /**
   * Identifies the violation without ids, values and times: what was required, and where. The same fault of the same
   * service has the same signature in every run; baselines and comparisons rely on it.
   */
  readonly signature: string;
  /** `expected` and `actual` are those of the first occurrence. */
  readonly expected: string;
  readonly actual: string;
  readonly operation: OperationId | null;
  readonly count: number;
  /** The exchanges of the first occurrence, the one at fault first. */
  readonly exchanges: readonly number[];
  /** The exchange at fault of some of the other occurrences. */
  readonly others: readonly number[];
  /** What came when it was sent again: the same, once the same and once what is right, or nothing that tells. */
  readonly repeated?: 'reproduced' | 'once-of-two' | 'not-repeated';
  /** Why it was not repeated. */
  readonly notRepeated?: string;
  /** Listed in the baseline. */
  readonly known?: true;
}

/** The verdict on a rule, and the exchanges that show it. */
export interface RuleVerdict<Id extends string = RuleId> {
  readonly id: Id;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: Verdict;
  readonly observations: number;
  /** The number of inconclusive findings; absent where there are none. */
  readonly unclear?: number;
  /** Why the verdict is not `passed`; empty where it is. */
  readonly why: string;
  /** What to do to have it judged: `withAdvice` adds it to `why`. */
  readonly advice?: string;
  /** What the target file would have to declare or allow, if that is why the rule is untested. */
  readonly missing?: readonly string[];
  /** If it is untested: the steps for it that were not sent, as `scenario/step`. `*` stands for the part that varies. */
  readonly notSent?: readonly string[];
  /** The first exchanges that show the verdict. */
  readonly exchanges: readonly number[];
  readonly violations: readonly Violation[];
  /** Counts by operation: the matrix of the report. */
  readonly operations: {
    readonly [operation in OperationId]?: { readonly observations: number; readonly violations: number };
  };
  /** All of its violations are in the baseline, so they are no new failure. */
  readonly known?: true;
}

/** A change of state that was observed, and whether the interface documents it. */
export interface Transition {
  /** Null: `to` is the first status seen of an execution that the run started. */
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
  readonly standing: 'documented' | 'undocumented' | 'forbidden';
}
