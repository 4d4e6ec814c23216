/** The report of a run, and the parts that it is made of. */
import type { CallerRuleId, Effect, GapId, OperationId } from '../contract.js';
import type { Evidence, Transition } from './evidence.js';
import type { Exchange } from './exchange.js';
import type { RuleVerdict } from './verdict.js';

/** Whether the target can be judged, and if not, why. */
export type Preflight = { readonly usable: true } | { readonly usable: false; readonly reason: string };

/** Something that the run leaves behind on the target. */
export interface LeftBehind {
  readonly kind: 'execution' | 'profile' | 'deleted pool';
  readonly id: string;
  readonly note: string;
}

/** When a journey ran, in milliseconds since the run began. */
export interface JourneyTime {
  readonly journey: string;
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
  /** The files that were not sorted by time; absent if all were. */
  readonly unsorted?: readonly string[];
}

/** The options of a run, named as on the command line. */
export interface ReportedOptions {
  readonly strict?: boolean;
  readonly requireAll?: boolean;
  /** `60` or `50%`. */
  readonly minJudged?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
}

/** A common trait of several violations, which may be their cause. */
export interface Cause {
  /** What they have in common: `#5, … answered 200`; empty where only one rule is broken. */
  readonly what: string;
  readonly rules: readonly string[];
  /** The exchange at fault of each violation. */
  readonly exchanges: readonly number[];
}

/** One way in which a rule is or was broken; without a signature, the rule as a whole. */
export interface Change {
  readonly rule: string;
  readonly level: 'MUST' | 'SHOULD';
  readonly operation?: string;
  readonly signature?: string;
  /** Why it was not judged. */
  readonly why?: string;
}

/** The differences from an earlier report. Each violation, by its signature, is in one list at most. */
export interface Changes {
  /** When the earlier run began. */
  readonly since: string;
  readonly verdict: Report['verdict'];
  /** Whether the verdict or any list other than `still` shows a difference. */
  readonly changed: boolean;
  /** Violated now, but not before. */
  readonly broken: readonly Change[];
  /** Inconclusive now, but not before. */
  readonly inDoubt: readonly Change[];
  readonly still: readonly Change[];
  /** Violated before, but not now, although the rule was judged on that operation again. */
  readonly fixed: readonly Change[];
  /** Kept now, but not judged before. */
  readonly held: readonly Change[];
  /** Judged before, but not now. A violation that is gone only because nobody looked is in this list. */
  readonly untested: readonly Change[];
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
  readonly version: 2;
  /** The version of the suite and of the contract. */
  readonly suite: { readonly version: string; readonly contract: string };
  /** The seed of all generated values; absent where nothing was sent. The same seed generates the same values. */
  readonly seed?: number;
  readonly options: ReportedOptions;
  readonly verdict: 'conformant' | 'nonconformant' | 'incomplete' | 'unusable';
  /** Why the target is unusable, or what the verdict rests on. */
  readonly reason: string;
  readonly target: { readonly baseUrl: string; readonly allow: Effect; readonly stateful: boolean };
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
  readonly journeys: readonly JourneyTime[];
  readonly leftBehind: readonly LeftBehind[];
  readonly requests: number;
  readonly executionsStarted: number;
  /** Requests in a recording of other APIs or to another base URL. They are counted and not judged. */
  readonly foreign: number;
  /** Set where recorded traffic was judged. Such reports can be merged. */
  readonly recording?: Recording;
  /** Remarks on the baseline (stale or expired entries) and the budget (what was left out). */
  readonly remarks: readonly string[];
  readonly exchanges: readonly ReportedExchange[];
}

/** An exchange as the report shows it. */
export interface ReportedExchange extends Omit<Exchange, 'mark'> {
  readonly journey: string;
  readonly step: string;
  /** A command that sends the request again, with the key as a shell variable. */
  readonly curl: string;
}

type Reported =
  | 'rules'
  | 'gaps'
  | 'transitions'
  | 'journeys'
  | 'leftBehind'
  | 'startedAt'
  | 'durationMs'
  | 'longestWaitMs';

/** The result of one run, from which the report is assembled. The picked parts are in the report unchanged. */
export interface Run extends Pick<Report, Reported | 'requests' | 'executionsStarted' | 'remarks'> {
  readonly preflight: Preflight;
  readonly evidence: Evidence;
  readonly seed: number;
  /** Why the run ended early. */
  readonly stopped?: string;
}
