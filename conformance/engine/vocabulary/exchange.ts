/** An exchange: a request as it was sent, why it was sent, and what came of it. */
import type { GapId, OperationId, RuleId } from '../contract.js';

/**
 * Wrong keys that a careless comparison might accept. `cut` to `listed` are the primary key, altered. The others are
 * values that careless callers send, or that a lookup by pattern, query or guess might match.
 */
export type NearKey =
  | 'empty'
  | 'cut'
  | 'preceded'
  | 'followed'
  | 'ended'
  | 'recased'
  | 'joined'
  | 'spaced'
  | 'listed'
  | 'undefined'
  | 'null'
  | 'star'
  | 'quote'
  | 'uuid'
  | 'number'
  | 'object'
  | 'hyphen'
  | 'bearer';

/**
 * The key that a request carried. `swapped`: the primary key in the other header. `contradicting`: the primary key and
 * a wrong one. `elsewhere`: no key header, but something made up in other places where services look for credentials.
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
  /** The fault in words: "head together with version". */
  readonly fault: string;
  readonly twins: Twins;
}

/**
 * The requests without the fault: named steps (`scenario/step`), or any request to the same id that has all the same
 * fields except those in `except`.
 */
export type Twins = readonly string[] | SameExcept;

export interface SameExcept {
  /** The fields that may hold the fault, and those that do not affect the answer. */
  readonly except: readonly string[];
  /** The fault is in the id, so twins may have another one. */
  readonly otherId?: true;
}

/** Why a request was sent. Traffic that the suite did not send has no mark. */
export interface Mark {
  readonly scenario: string;
  readonly step: string;
  readonly credential: Credential;
  readonly probe?: Probe;
  /** The gaps that the answer is an observation of. */
  readonly observes?: readonly GapId[];
  /** The service may refuse this request, so the answer is only held to what every answer must be. */
  readonly unjudged?: true;
  /** Not judged: mostly because the request was sent again, as this answer told nothing of the service. */
  readonly excluded?: true;
  /** Its execution did not end as declared, but a later equal one did: the cause was outside, and breaks no rule. */
  readonly notAsDeclared?: true;
  /** Its execution was cancelled, stopped or resumed by a request, so it does not show what the workflow does. */
  readonly changedByRequest?: true;
  /** A request outside the interface, answered outside the contract, and the same without a key: maybe by a gateway. */
  readonly answeredByGateway?: true;
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
}
