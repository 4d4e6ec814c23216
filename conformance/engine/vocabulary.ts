/**
 * The vocabulary of the suite. Read this first: each step below turns one of these types into the next.
 *
 *   Target ──send──▶ Exchange ──gather──▶ Evidence ──judge──▶ Finding ──▶ Verdict ──conclude──▶ Report
 */
import type { Effect, GapId, OperationId, RuleId } from './contract.js';

// What is known of a target before anything is sent: facts, keys and headers.

export type { Effect } from './contract.js';

/**
 * What a target file declares, without keys: all that a judge may know besides the evidence. The suite adds its own
 * fields by declaration merging.
 */
export interface Facts {
  /** Without a trailing slash. May have a path, which is put before those of the interface. */
  readonly baseUrl: string;
  readonly stateful: boolean;
  readonly allow: Effect;
  /** The options that made the run smaller than the target file: `--gentle`; absent without one. */
  readonly smaller?: readonly string[];
  /** The operations that are denied to the restricted key; absent without such a key. */
  readonly restricted?: { readonly denied: readonly OperationId[] };
  readonly pace: {
    readonly requestsPerSecond: number;
    readonly concurrency: number;
    /** How long to wait for a state. Absent: a multiple of how long executions took so far, or are declared to take. */
    readonly patienceSeconds?: number;
    readonly latencyGraceMs: number;
  };
  readonly budget: {
    readonly executions: number;
    readonly copies: number;
    /** The most executions that may run at once. Absent: as many as the target has room for. */
    readonly places?: number;
  };
}

// An exchange: a request as it was sent, why it was sent, and what came of it.

/**
 * The keys that a request may carry. `swapped`: the primary key in the other header. `contradicting`: the primary key and
 * a wrong one. `elsewhere`: no key header, but something made up in other places where services look for credentials.
 * The suite adds wrong keys that a careless comparison might accept, by declaration merging.
 */
export interface Credentials {
  readonly primary: true;
  readonly restricted: true;
  readonly none: true;
  readonly elsewhere: true;
  readonly invalid: true;
  readonly swapped: true;
  readonly contradicting: true;
}

export type Credential = keyof Credentials;

/** A request with exactly one fault. It counts only beside a control: the same request without the fault, accepted. */
export interface Probe {
  readonly rule: RuleId;
  /** The fault in words: "head together with version". */
  readonly fault: string;
  readonly controls: Controls;
}

/**
 * The requests without the fault: named steps (`scenario/step`), or any request to the same id that has all the same
 * fields except those in `except`.
 */
export type Controls = readonly string[] | SameExcept;

export interface SameExcept {
  /** The fields that may hold the fault, and those that do not affect the answer. */
  readonly except: readonly string[];
  /** The fault is in the id, so controls may have another one. */
  readonly otherId?: true;
}

/** What an answer is not judged for. `unjudged`: it is only held to what every answer must be. `excluded`: not judged. */
export type Standing = 'unjudged' | 'excluded';

/** Why a request was sent. It is fixed then. Traffic that the suite did not send has no mark. */
export interface Mark {
  readonly scenario: string;
  readonly step: string;
  readonly credential: Credential;
  readonly probe?: Probe;
  /** The gaps that the answer is an observation of. */
  readonly observes?: readonly GapId[];
  /** The service may refuse this request, so the answer is only held to what every answer must be. */
  readonly unjudged?: true;
  /** The request only finds out whether the service is there, or what a command of the operator did. */
  readonly excluded?: true;
  /** The standing of an answer that is no success, to a request that a service may refuse. */
  readonly ifRefused?: Standing;
  /** Starts that were refused, or whose runs did not go as declared, and of which this one is a repetition. */
  readonly repeats?: readonly number[];
}

/** The body of a request or an answer. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: number }
  /** `text` is shortened for display. */
  | { readonly kind: 'not-json'; readonly text: string; readonly error: string; readonly bytes: number };

/** An answer as it was recorded. */
export interface Response {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Whether the body or a header repeated a key that the run holds. Reports show it redacted. */
  readonly repeatsKey: boolean;
}

/** Why there is no usable answer. */
export interface Failure {
  /** `unknown`: a recording of another tool has no answer, and does not say why. */
  readonly kind: 'unreachable' | 'tls' | 'timeout' | 'broken' | 'too-large' | 'stopped' | 'unknown';
  readonly message: string;
}

/** One request and what came of it. Keys are redacted in the request when recorded, in the answer when reported. */
export interface Exchange {
  /** Counts up in the order of sending. */
  readonly id: number;
  /** Null for a request of no operation in the contract. */
  readonly operation: OperationId | null;
  /** The id in the path, decoded: the last one if there are several, null if there is none. */
  readonly resource: string | null;
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  /** The recording does not say how long it took: `durationMs` is 0 and means nothing. */
  readonly untimed?: true;
  /** How much of `durationMs` is this process's own delay, because it was busy. Absent where it is negligible. */
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
  // Decided once, by `settled`, from the answer and what else was sent.
  readonly standing?: Standing;
  /** The start was repeated, and that was accepted: what its run did otherwise than declared may have a cause outside. */
  readonly wasRepeated?: true;
  /** Its execution was cancelled, stopped or resumed by a request, so it does not show what the workflow does. */
  readonly changedByRequest?: true;
  /** About something for which the service took a wrong value that it need not refuse: it may show that value. */
  readonly mayShowWrong?: true;
}

// Evidence: the exchanges of a run, grouped by the execution or profile that they are about.

/** All exchanges about one started execution, in order. The suite adds its id. */
export interface Trace {
  /** The accepted start, where it was seen. */
  readonly start?: Exchange;
  /**
   * Further starts that were answered with this id, which should have got one of their own; or the rerun that began
   * this execution, whose request does not say all that it asks for.
   */
  readonly otherStarts?: readonly Exchange[];
  readonly readings: readonly Exchange[];
  /** Requests that waited for it, and show its status but not the rest of it. */
  readonly waits?: readonly Exchange[];
  readonly listings: readonly Exchange[];
  /** Set where the suite gave up waiting for a state of this execution. */
  readonly failedWait?: FailedWait;
}

/** A trace whose beginning was seen. */
export interface Started extends Trace {
  readonly start: Exchange;
}

/** Why a scenario ended early. */
export interface Halted {
  readonly why: string;
  /** The part of the target file that it is about, such as `profile`. Rules that do not need it are not affected. */
  readonly need?: string;
  /** What to do against it: `raise --max-time`. */
  readonly advice?: string;
  /** The part of the budget that was used up: rules that need more of it are untested. */
  readonly spent?: keyof Facts['budget'];
}

/** A wait that ended before the wanted state was reached. */
export interface FailedWait {
  readonly wanted: string;
  readonly waitedMs: number;
  /** How long the state had been unchanged when the wait ended. */
  readonly unchangedMs: number;
  /**
   * `patience`: it ran out. `stuck`: no execution of this run left this state within it. `unreadable`: an answer was no
   * reading. `stopped`: the run was stopped.
   */
  readonly reason: 'patience' | 'stuck' | 'unreadable' | 'stopped';
}

/** All changes and copies of one profile, in order. The suite adds its id. */
export interface ProfileHistory {
  readonly exchanges: readonly Exchange[];
  /** The duplication that made this profile, if the suite saw it. */
  readonly origin?: Exchange;
  /** Updates of its copies, and of the profile that it is a copy of: none of them may change this one. */
  readonly related?: readonly Exchange[];
}

/** What one run recorded. */
export interface Evidence {
  readonly exchanges: readonly Exchange[];
  readonly traces: readonly Trace[];
  readonly profiles: readonly ProfileHistory[];
  /** Set if the target has several clocks: times that it wrote at different places have no order. */
  readonly hasSeveralClocks?: true;
  /** Set where this is everything that one caller sent for one job, from its beginning. */
  readonly oneJob?: OneJob;
}

/** What is known of a job that was recorded from its beginning. */
export interface OneJob {
  /** The caller ended by itself, so a request that it did not send would not have come later either. */
  readonly isOver: boolean;
}

// What is concluded from the evidence: findings, violations and verdicts.

/** One way in which a value does not match a schema. */
export interface SchemaFault {
  /** A JSON pointer, with `*` for indexes and for keys that no schema names. */
  readonly where: string;
  /** The violated keyword of JSON Schema, or a word for it. */
  readonly what: string;
  /** The message for the first place that `where` matches: `/status is "done", not one of queued, …`. */
  readonly says: string;
}

/** What is wrong, and where in a body, if that is known: the place is part of the violation's signature. */
export interface Fault {
  readonly place?: string;
  readonly actual: string;
}

/** What a judge concludes from one piece of evidence. */
export type Finding =
  | { readonly kind: 'satisfied'; readonly exchanges: readonly number[]; readonly operation?: OperationId }
  | {
      readonly kind: 'violated';
      readonly expected: string;
      /** All faults in one line, or the first of them and the number of the others. */
      readonly actual: string;
      /** Each fault by itself; at least one. */
      readonly faults: readonly Fault[];
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    }
  /** The evidence is about the rule, but shows neither that it was satisfied nor that it was violated. */
  | {
      readonly kind: 'inconclusive';
      readonly why: string;
      /** What to do to have the rule judged: `correct workflows.slow`. */
      readonly advice?: string;
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    };

/** What a judge returns: nothing where no evidence is about its rule. */
export type Judgement = readonly Finding[] | Finding | undefined;

/**
 * How a rule is judged: pure functions, each from one piece of evidence to findings. Judges of an exchange, a trace or
 * a profile also work on recordings. `run` needs a complete run that the suite drove or, for caller rules, a part of a
 * recording that is known to be complete.
 */
export interface Judge {
  exchange?(exchange: Exchange, facts: Facts): Judgement;
  trace?(trace: Trace, facts: Facts): Judgement;
  profile?(history: ProfileHistory, facts: Facts): Judgement;
  run?(evidence: Evidence, facts: Facts): Judgement;
}

/** Judges of rules, each under the id of its rule. */
export type Judges = { readonly [rule in RuleId]?: Judge };

/** Describes what a target does in a gap, as short values such as `"400"` or `"operation: 409"`. */
export type Observer = (evidence: Evidence, facts: Facts) => readonly string[];
