/**
 * The words of the suite. Read this first: everything else in conformance/ turns one of these into the next.
 *
 *   Target ──drive──▶ Exchange ──gather──▶ Evidence ──judge──▶ Finding ──▶ Verdict ──conclude──▶ Report
 */
import type { OperationId } from '../generated/operations.js';
import type { CallerRuleId, Effect, GapId, RuleId } from '../generated/rules.js';

export type { Effect } from '../generated/rules.js';

/** The worst that a request does to the target; each includes the ones before it. */
export const effects = ['read', 'execute', 'write', 'delete'] as const satisfies readonly Effect[];

/** What a run of a workflow does by itself. */
export const workflowRoles = [
  'completes',
  'fails',
  'cancelled',
  'pauses',
  'pausesByAgent',
  'awaitsConfirmation',
  'slow',
  'variantMode',
  'writesFiles',
] as const;
export type WorkflowRole = (typeof workflowRoles)[number];

/** What a target file declares of a target, without its keys: all that a judge may know beside the evidence. */
export interface Facts {
  /** Without a trailing slash; may carry a path of its own before `/agents/v2`. */
  readonly baseUrl: string;
  readonly stateful: boolean;
  readonly allow: Effect;
  readonly workflows: { readonly [role in WorkflowRole]?: string };
  readonly publishedVersion?: number;
  readonly execution?: string;
  readonly profile?: string;
  readonly otherProfile?: string;
  readonly profileGroup?: string;
  readonly pool?: string;
  readonly otherOrganization?: string;
  readonly tempFile?: { readonly id: string; readonly name: string };
  readonly agentHardTimeoutMins?: number;
  readonly capacity?: { readonly profileGroup: string; readonly size: number; readonly workflow: string };
  /** The operations that the restricted key may not do; absent without such a key. */
  readonly restricted?: { readonly denied: readonly OperationId[] };
  readonly pace: {
    readonly requestsPerSecond: number;
    readonly concurrency: number;
    readonly patienceSeconds: number;
    readonly latencyGraceMs: number;
  };
  readonly budget: { readonly executions: number; readonly copies: number };
}

/** Whether there is anything to judge, or why there is not. */
export type Preflight = { readonly usable: true } | { readonly usable: false; readonly reason: string };

/** Requests that nobody wrote, after those of the journeys. */
export interface Exploration {
  /** How many are made up; what the search for smaller ones sends comes on top. */
  readonly requests: number;
  /** The same seed makes up the same requests. */
  readonly seed: number;
}

/**
 * Keys that are nearly right: the primary key cut short, made longer at either end, followed by more, altered, in the other
 * case, without its hyphens, one of a list; or what stands for none: nothing, the words that careless callers send, what a
 * pattern or a query would find any key by, something of the form of a key, a number, a word that is easily guessed, JSON, a
 * hyphen, and a token of another scheme.
 */
export type NearKey =
  | 'empty'
  | 'cut'
  | 'lengthened'
  | 'preceded'
  | 'followed'
  | 'altered'
  | 'ended'
  | 'recased'
  | 'joined'
  | 'listed'
  | 'undefined'
  | 'null'
  | 'star'
  | 'quote'
  | 'uuid'
  | 'number'
  | 'word'
  | 'object'
  | 'hyphen'
  | 'bearer';

/**
 * The key that a request carried. `swapped`: the primary key in the other header. `contradicting`: it and a wrong one.
 * `elsewhere`: none, and something made up where other services look for who asks.
 */
export type Credential =
  | 'primary'
  | 'restricted'
  | 'none'
  | 'elsewhere'
  | 'invalid'
  | 'swapped'
  | 'contradicting'
  | NearKey;

/** A request with exactly one fault. It counts only beside a twin: the same request without the fault, accepted. */
export interface Probe {
  readonly rule: RuleId;
  /** The one thing that is wrong with the request, in words: "head together with version". */
  readonly fault: string;
  /** The steps (`journey/step`) that send this request without the fault. */
  readonly twins: readonly string[];
}

/** Why a request was sent. Recorded traffic that the suite did not send has none of it. */
export interface Mark {
  readonly journey: string;
  readonly step: string;
  readonly credential: Credential;
  readonly probe?: Probe;
  /** The gaps that the answer tells something about. */
  readonly asks?: readonly GapId[];
  /** Made up, or refused for what a service may refuse: nothing is expected of its answer but what holds for every answer. */
  readonly odd?: true;
  /** The sequence that it is a step of: the steps of one are evidence of their own. */
  readonly sequence?: number;
  /** Sent again later, because the target was busy: not judged as an answer to its question. */
  readonly superseded?: true;
  /** A start whose run went otherwise than declared, where the next equal one did not: somebody's doing, and no rule's. */
  readonly strayed?: true;
}

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: number }
  /** `text` is cut to a readable length. */
  | { readonly kind: 'not-json'; readonly text: string; readonly error: string; readonly bytes: number };

export interface Response {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** True where the body or a header repeated a key that the run holds. The key itself is redacted. */
  readonly repeatsKey: boolean;
}

/** Why there is no usable answer. */
export interface Failure {
  /** `unknown`: somebody else's recording has no answer, and does not say why. */
  readonly kind: 'unreachable' | 'tls' | 'timeout' | 'broken' | 'too-large' | 'stopped' | 'unknown';
  readonly message: string;
}

/** One request and what came of it. Redacted: no key is in it anywhere. */
export interface Exchange {
  /** Counts up in the order of sending. */
  readonly id: number;
  /** Null where the request belongs to no operation of the contract. */
  readonly operation: OperationId | null;
  /** The id in the path, decoded. */
  readonly resource: string | null;
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  /** How much of it was this process's own delay, in milliseconds: it was busy. Absent where there was none to speak of. */
  readonly delayMs?: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Body;
  };
  readonly response?: Response;
  readonly failure?: Failure;
  readonly mark?: Mark;
}

/** All that was seen of one execution, in order. */
export interface Trace {
  readonly executionId: string;
  /** The accepted start, where it was seen. */
  readonly start?: Exchange;
  readonly readings: readonly Exchange[];
  readonly listings: readonly Exchange[];
  /** The suite stopped waiting for something that did not come. */
  readonly failedWait?: FailedWait;
}

/** Why a journey ended before its time. */
export interface Halted {
  readonly why: string;
  /** The declared thing that it is about: what rests on others is not concerned. */
  readonly need?: string;
}

export interface FailedWait {
  readonly executionId: string;
  readonly wanted: string;
  readonly waitedMs: number;
  /**
   * Why waiting ended: patience ran out, the state is one that no execution of the run left within it, an answer was no
   * reading, or the run was stopped.
   */
  readonly reason: 'patience' | 'stuck' | 'unreadable' | 'stopped';
}

/** All updates and duplications of one profile, in order. */
export interface ProfileHistory {
  readonly profileId: string;
  readonly exchanges: readonly Exchange[];
  /** The duplication that made it, where the suite saw it. */
  readonly origin?: Exchange;
  /** The updates of its copies and of the profile that it is a copy of: none of them may change this one. */
  readonly kin?: readonly Exchange[];
  /** A start asked for it: a browser may have brought cookies since. */
  readonly used?: true;
}

/** What one run recorded. */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  readonly traces: readonly Trace[];
  readonly profiles: readonly ProfileHistory[];
  /** It is all that one caller sent for one job, from its beginning. */
  readonly oneJob?: OneJob;
}

export interface OneJob {
  /** What its caller was told: the id of the execution, where its first start took effect. */
  readonly executionId: string;
  /** Its caller ended by itself: what was not sent would not have been sent later. */
  readonly isOver: boolean;
}

/** What a judge concludes from one piece of evidence. */
export type Finding =
  | { readonly kind: 'kept'; readonly exchanges: readonly number[]; readonly operation?: OperationId }
  | {
      readonly kind: 'broken';
      readonly required: string;
      /** All of the faults in one line, or the first of them and how many more. */
      readonly seen: string;
      /** What is wrong, each thing by itself; one at least. */
      readonly faults: readonly { readonly signature: string; readonly seen: string }[];
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    }
  /** Evidence that should have told, and did not. */
  | {
      readonly kind: 'unclear';
      readonly why: string;
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    };

export type Judgement = readonly Finding[] | Finding | undefined;

/**
 * How a rule is judged: pure functions, each from one piece of evidence to findings. What is judged on an exchange, a
 * trace or a profile works on recordings too; `run` needs a whole: a run that the suite drove itself or, for the rules for
 * callers, a part of a recording that tells all of what they did.
 */
export interface Judge {
  exchange?(exchange: Exchange, facts: Facts): Judgement;
  trace?(trace: Trace, facts: Facts): Judgement;
  profile?(history: ProfileHistory, facts: Facts): Judgement;
  run?(evidence: Evidence, facts: Facts): Judgement;
}

/** What a target does where the interface is silent: short values, such as `"400"` or `"execute: 409"`. */
export type Observer = (evidence: Evidence, facts: Facts) => readonly string[];

export type Verdict = 'passed' | 'violated' | 'untested' | 'not-applicable' | 'inconclusive';

/** One way in which a rule is broken on one operation, however often. */
export interface Violation {
  /**
   * What it is, apart from when and how often it was seen: what was required, and where, without ids and values. The same
   * fault of the same service has the same signature in every run; baselines and comparisons go by it.
   */
  readonly signature: string;
  /** As it was seen first. */
  readonly required: string;
  readonly seen: string;
  readonly operation: OperationId | null;
  readonly count: number;
  /** What shows it: the exchanges of the first time, the one at fault first. */
  readonly exchanges: readonly number[];
  /** The exchange at fault of some of the other times. */
  readonly others: readonly number[];
  /** Where it takes several requests to see it: a script for `sh` that sends them again, with ids passed on. */
  readonly again?: string;
  /** In the baseline as known. */
  readonly known?: true;
}

export interface RuleVerdict<Id extends string = RuleId> {
  readonly id: Id;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: Verdict;
  readonly observations: number;
  /** How much evidence should have told and did not; absent where none. */
  readonly unclear?: number;
  /** Why the verdict is not `passed`; empty where it is. */
  readonly why: string;
  /** What the target file would have to declare or allow for it to be judged, where that is why it is untested. */
  readonly missing?: readonly string[];
  /** The first exchanges that show it. */
  readonly exchanges: readonly number[];
  readonly violations: readonly Violation[];
  /** Observations and violations by operation: the matrix of the report. */
  readonly operations: {
    readonly [operation in OperationId]?: { readonly observations: number; readonly violations: number };
  };
  /** All that it was found at fault for is in the baseline as known: judged, but no new failure. */
  readonly known?: true;
}

export interface Transition {
  /** Null: the first status that was seen of an execution that the run started. */
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
  readonly standing: 'shown' | 'unshown' | 'forbidden';
}

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
  /** The longest chain of deliberate waits, in milliseconds. */
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
  /** Requests of other APIs in a recording: counted and left alone. */
  readonly foreign: number;
  /** Where recorded traffic was judged: such reports can be merged. */
  readonly recording?: Recording;
  /** On baseline and exploration: stale or expired entries, what odd requests showed. */
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
