/** What was sent, why, and what came of it. */
import type { GapId, OperationId, RuleId } from '../contract.js';

/**
 * Keys that are nearly right: the primary key cut short, made longer at either end, followed by more, altered, in the other
 * case, without its hyphens, with a blank inside, one of a list; or what stands for none: nothing, the words that careless
 * callers send, what a pattern or a query would find any key by, something of the form of a key, a number, a word that is easily
 * guessed, something as short that nobody guesses, JSON, a hyphen, and a token of another scheme.
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
  | 'spaced'
  | 'listed'
  | 'undefined'
  | 'null'
  | 'star'
  | 'quote'
  | 'uuid'
  | 'number'
  | 'word'
  | 'token'
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
  readonly twins: Twins;
}

/**
 * What sends this request without the fault: steps (`journey/step`), or whatever was sent to the same id with all of its fields
 * but these.
 */
export type Twins = readonly string[] | Alike;

export interface Alike {
  /** The fields in which the fault may be, and what matters to no answer. */
  readonly but: readonly string[];
  /** The fault is in the id. */
  readonly elsewhere?: true;
}

/** Why a request was sent. Recorded traffic that the suite did not send has none of it. */
export interface Mark {
  readonly journey: string;
  readonly step: string;
  readonly credential: Credential;
  readonly probe?: Probe;
  /** The gaps that the answer tells something about. */
  readonly observes?: readonly GapId[];
  /** Made up, or refused for what a service may refuse: nothing is expected of its answer but what holds for every answer. */
  readonly unjudged?: true;
  /** The sequence that it is a step of: the steps of one are evidence of their own. */
  readonly sequence?: number;
  /** Sent again later, because the target was busy: not judged as an answer to its question. */
  readonly retried?: true;
  /** A start whose run went otherwise than declared, where the next equal one did not: somebody's doing, and no rule's. */
  readonly notAsDeclared?: true;
  /** A start whose run was told to end, to stop or to go on while it ran: it shows nothing of what the workflow does by itself. */
  readonly steered?: true;
  /** No request of the interface, and answered as no contract says, also to who has no key: maybe by something before the service. */
  readonly answeredByGateway?: true;
}

/** The body of a request or an answer. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: number }
  /** `text` is cut to a readable length. */
  | { readonly kind: 'not-json'; readonly text: string; readonly error: string; readonly bytes: number };

/** An answer as it was recorded. */
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
  /** The id in the path, decoded, the last one where it has several; null where it has none. */
  readonly resource: string | null;
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  /** A recorder did not know how long it took: then `durationMs` is 0, and tells nothing. */
  readonly untimed?: true;
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
