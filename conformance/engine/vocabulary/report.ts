/** The report of a run, and the parts that it is made of. */

import type { CallerRuleId, Effect, GapId, OperationId, RuleId } from '../contract.js';
import type { Evidence, Exchange, Facts, RuleVerdict, Transition, Violation } from '../vocabulary.js';

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

export interface Cost {
  readonly known: number;
  readonly others: number;
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

/** Something that the run leaves behind on the target. */
export interface LeftBehind {
  readonly kind: 'execution' | 'profile' | 'deleted pool';
  readonly id: string;
  readonly note: string;
}

/** When a scenario ran, in milliseconds since the run began. */
export interface ScenarioTime {
  readonly scenario: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** Time spent waiting for states of the target, not for its answers. */
  readonly waitedMs: number;
}

/** Traffic that the suite did not send. */
export interface Recording {
  /** The services that received the judged requests. */
  readonly baseUrls: readonly string[];
  /** Requests that were not judged because the recording lacks their request or answer. */
  readonly unrecorded: number;
  /** Entries that are no exchange, and were skipped; absent if there were none. */
  readonly unreadable?: number;
  /** Requests that were recorded more than once and judged once; absent if there were none. */
  readonly repeated?: number;
  /** Histories that went on after they were judged, for lack of memory or as time went back; absent if none. */
  readonly resumed?: { readonly executions: number; readonly profiles: number };
  /** Digests of a thousand histories at most; absent if there were none. By them, `merge` recognises what is in several parts. */
  readonly histories?: readonly string[];
  /** How many of these are in several of the parts that were merged; absent if none. */
  readonly split?: { readonly executions: number; readonly profiles: number };
}

/** The options of a run, named as on the command line. */
export interface ReportedOptions {
  readonly strict?: boolean;
  readonly requireAll?: boolean;
  /** `60` or `50%`. */
  readonly minJudged?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** The command with what names its target: `npx … check --target target.yaml`. */
  readonly command?: string;
}

/** A common trait of several violations, which may be their cause. */
export interface Cause {
  /** What they have in common: `#5, … answered 200`; empty where only one rule is broken. */
  readonly what: string;
  readonly rules: readonly string[];
  /** The exchange at fault of each violation. */
  readonly exchanges: readonly number[];
}

/** One way in which a rule is or was broken. */
export interface Change {
  readonly rule: string;
  readonly level: 'MUST' | 'SHOULD';
  readonly operation?: string;
  readonly signature: string;
  /** Runs that judged it saw it at times, and at times not. */
  readonly intermittent?: true;
}

/** A violation as the runs up to the last one saw it. */
export interface Remembered extends Change {
  /** The steps at fault, as far as they are known: `scenario/step`. */
  readonly steps: readonly string[];
  /** How many runs in a row judged it since then and did not see it. */
  readonly missed: number;
}

/** The differences from earlier runs. Each violation, by its signature, is in one list at most. */
export interface Changes {
  /** When the last run before this one began. */
  readonly since: string;
  readonly wasUsable: boolean;
  /** Whether the service is usable; as before if this run was stopped before it judged anything. */
  readonly isUsable: boolean;
  /** Whether the service changed: something is newly broken or fixed, or the service became usable or unusable. */
  readonly changed: boolean;
  /** Violated now, but not when it was judged last. */
  readonly broken: readonly Change[];
  readonly still: readonly Change[];
  /** Intermittent, judged, and not seen in this run. */
  readonly absent: readonly Change[];
  /** Violated before, but not now, although its rule was judged at one of its steps again; if intermittent, for some runs. */
  readonly fixed: readonly Change[];
  /** Violated when it was judged last, and not judged in this run. */
  readonly untested: readonly Change[];
  /** All that the next run is compared with. */
  readonly remembered: readonly Remembered[];
}

/** How long an operation took to answer the requests that it accepted. */
export interface Latency {
  readonly count: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** A whole report. Every output format is written from it. */
export interface Report {
  /** The version of the format of the JSON report: report.schema.json. */
  readonly version: 3;
  /** The version of the suite and of the contract. */
  readonly suite: { readonly version: string; readonly contract: string };
  /** The seed of all generated values; absent where nothing was sent. The same seed generates the same values. */
  readonly seed?: number;
  readonly options: ReportedOptions;
  readonly verdict: 'conformant' | 'nonconformant' | 'incomplete' | 'unusable';
  /** Why the target is unusable, or what the verdict rests on. */
  readonly reason: string;
  readonly target: Pick<Facts, 'baseUrl' | 'allow' | 'smaller' | 'stateful'>;
  readonly startedAt: string;
  readonly durationMs: number;
  /** The longest sequence of deliberate waits, in milliseconds: a lower bound of the duration of a run. */
  readonly longestWaitMs: number;
  readonly summary: {
    readonly passed: number;
    readonly violated: number;
    readonly warned: number;
    readonly untested: number;
    readonly notApplicable: number;
    readonly inconclusive: number;
  };
  readonly rules: readonly RuleVerdict[];
  /** Probable causes of the violations, the one that explains most rules first. Those of the baseline are left out. */
  readonly causes?: readonly Cause[];
  /** The entries of the baseline to remove, and why; absent where there are none. */
  readonly stale?: readonly string[];
  /** Compared with the last run on this target, or with a report that was given; absent where there is none. */
  readonly changes?: Changes;
  /** Only of runs, not of recordings. No verdict rests on them. */
  readonly latencies?: { readonly [operation in OperationId]?: Latency };
  /** The rules for callers, on recordings. They never count for or against a target. */
  readonly callers: readonly RuleVerdict<CallerRuleId>[];
  readonly gaps: readonly { readonly id: GapId; readonly observed: readonly string[] }[];
  /** Differences from the pinned behaviour where the contract is silent; absent where there are no pins. */
  readonly sincePins?: readonly string[];
  readonly transitions: readonly Transition[];
  /** The states of which nothing was seen, though a workflow for them is declared; absent for recordings. */
  readonly statesNotSeen?: readonly string[];
  /** The steps whose answers were judged, each with its last exchange; absent for recordings. */
  readonly steps?: Readonly<Record<string, number>>;
  readonly scenarios: readonly ScenarioTime[];
  readonly leftBehind: readonly LeftBehind[];
  readonly requests: number;
  readonly executionsStarted: number;
  /** What they cost, if the target file declares what a workflow costs. */
  readonly cost?: Cost;
  /** Requests in a recording of other APIs or to another base URL. They are counted and not judged. */
  readonly foreign: number;
  /** Set where recorded traffic was judged. Such reports can be merged. */
  readonly recording?: Recording;
  /** Remarks on the baseline and the budget (what was left out). */
  readonly remarks: readonly string[];
  readonly exchanges: readonly ReportedExchange[];
}

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
export interface Run extends Pick<Report, Reported | 'requests' | 'executionsStarted' | 'cost' | 'remarks'> {
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
