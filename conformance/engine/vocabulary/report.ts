import type { CallerRuleId, Effect, GapId, OperationId } from '../contract.js';
import type { Evidence } from './evidence.js';
import type { Exchange } from './exchange.js';
import type { RuleVerdict } from './verdict.js';

/** What a run is told as. */

/** Whether there is anything to judge, or why there is not. */
export type Preflight = { readonly usable: true } | { readonly usable: false; readonly reason: string };

/** Requests that nobody wrote, after those of the journeys. */
export interface Exploration {
  /** How many are made up; what the search for smaller ones sends comes on top. */
  readonly requests: number;
  /** The same seed makes up the same requests. */
  readonly seed: number;
}

/** A change of state that was seen, and whether the interface shows it. */
export interface Transition {
  /** Null: the first status that was seen of an execution that the run started. */
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
  readonly standing: 'shown' | 'unshown' | 'forbidden';
}

/** Something that the run leaves on the target. */
export interface LeftBehind {
  readonly kind: 'execution' | 'profile' | 'profile settings' | 'deleted pool';
  readonly id: string;
  readonly note: string;
}

/** One journey's place in the run, in milliseconds since the run began. */
export interface JourneyTime {
  readonly journey: string;
  readonly startedMs: number;
  readonly endedMs: number;
  /** Time spent waiting for the target's states, not for its answers. */
  readonly waitedMs: number;
}

/** Traffic that the suite did not send. */
export interface Recording {
  /** The services that the judged requests went to. */
  readonly baseUrls: readonly string[];
  /** Requests that were not judged because the recording lacks what was sent or answered. */
  readonly unrecorded: number;
  /** Entries that are no exchange, and left out; absent where there were none. */
  readonly unreadable?: number;
  /** Requests that were recorded more than once, and judged once; absent where none were. */
  readonly repeated?: number;
  /** Histories that went on after they had to be judged, to make room or because time went back; absent where none did. */
  readonly resumed?: { readonly executions: number; readonly profiles: number };
  /** The files that were not in the order of time; absent where all were. */
  readonly unsorted?: readonly string[];
}

/** What was asked of a run, apart from its target: as the options of the command are called. */
export interface ReportedOptions {
  readonly strict?: boolean;
  readonly requireAll?: boolean;
  /** `60` or `50%`. */
  readonly minJudged?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly explore?: number;
}

/** What several violations have in common, and may come from. */
export interface Cause {
  /** What shows all of them: `#5, … answered 200`; empty where one rule is broken by itself. */
  readonly what: string;
  /** The rules that are broken by it. */
  readonly rules: readonly string[];
  /** The exchange at fault of each. */
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

/** What changed since an earlier report. Each violation, by its signature, is in one list at most. */
export interface Changes {
  /** When the earlier run began, and what it came to. */
  readonly since: string;
  readonly verdict: Report['verdict'];
  /** Whether anything is otherwise: the verdict, or one of the lists but `still`. */
  readonly changed: boolean;
  /** Seen now, and not before. */
  readonly broken: readonly Change[];
  /** Inconclusive now, and not before. */
  readonly inDoubt: readonly Change[];
  readonly still: readonly Change[];
  /** Seen before, and not now, though the rule was judged on that operation again. */
  readonly fixed: readonly Change[];
  /** Held now, and not judged before. */
  readonly held: readonly Change[];
  /** Judged before, and not now: what was fixed by being no longer looked at is among them. */
  readonly untested: readonly Change[];
}

/** How long an operation took to answer requests that it accepted, in milliseconds. */
export interface Latency {
  readonly count: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** All that a run tells; every format is written from it. */
export interface Report {
  /** Of the format of the JSON report: report.schema.json. */
  readonly version: 2;
  /** What judged, and by which contract. */
  readonly suite: { readonly version: string; readonly contract: string };
  /** What the run made up its requests from; absent where it sent none. The same seed makes up the same again. */
  readonly seed?: number;
  readonly options: ReportedOptions;
  readonly verdict: 'conformant' | 'nonconformant' | 'incomplete' | 'unusable';
  /** Why the target is unusable, or what else the verdict rests on. */
  readonly reason: string;
  readonly target: { readonly baseUrl: string; readonly allow: Effect; readonly stateful: boolean };
  readonly startedAt: string;
  readonly durationMs: number;
  /** The longest sequence of deliberate waits, in milliseconds: what a run takes at least. */
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
  /** What the violations probably come from, first what explains most rules; those of the baseline are left out. */
  readonly causes?: readonly Cause[];
  /** Since the last run on this target, or the report that was named; absent where there is none. */
  readonly changes?: Changes;
  /** Of a run that the suite drove. No verdict rests on it. */
  readonly latencies?: { readonly [operation in OperationId]?: Latency };
  /** The rules for callers, on recordings. They never count for or against a target. */
  readonly callers: readonly RuleVerdict<CallerRuleId>[];
  readonly gaps: readonly { readonly id: GapId; readonly observed: readonly string[] }[];
  /** What is otherwise than pinned where the contract is silent; absent where the run was held against no pins. */
  readonly sincePins?: readonly string[];
  readonly transitions: readonly Transition[];
  readonly journeys: readonly JourneyTime[];
  readonly leftBehind: readonly LeftBehind[];
  readonly requests: number;
  readonly executionsStarted: number;
  /** Requests of other APIs, or to another base URL than the target's, in a recording: counted and left alone. */
  readonly foreign: number;
  /** Where recorded traffic was judged: such reports can be merged. */
  readonly recording?: Recording;
  /** On baseline, budget and exploration: stale or expired entries, what was left out, what odd requests showed. */
  readonly remarks: readonly string[];
  readonly exchanges: readonly ReportedExchange[];
}

/** An exchange as the report shows it. */
export interface ReportedExchange extends Omit<Exchange, 'mark'> {
  readonly journey: string;
  readonly step: string;
  /** Reproduces the request, the key as a shell variable. */
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

/** One run: what was sent and seen, and what the rules say of it. These parts go into the report as they are. */
export interface Run extends Pick<Report, Reported | 'requests' | 'executionsStarted' | 'remarks'> {
  readonly preflight: Preflight;
  readonly evidence: Evidence;
  readonly seed: number;
  /** Why it ended before its time. */
  readonly stopped?: string;
}
