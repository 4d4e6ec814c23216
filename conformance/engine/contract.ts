/**
 * What the engine knows of the interface. The suite describes it (`describe`) and gives its ids to the compiler
 * (`KnownIds`). Without a suite every id is plain text.
 */

import type { CallerRuleId, Effect, GapId, OperationId, RuleId, StatementId } from './known-ids.js';
import type { Evidence, Transition } from './vocabulary/evidence.js';
import type { Credential, Exchange } from './vocabulary/exchange.js';
import type { Entry, History } from './vocabulary/recording.js';
import type { Facts, Keys } from './vocabulary/target.js';
import type { Judge, Observer } from './vocabulary/verdict.js';

export type * from './known-ids.js';

/** A parameter of the query or a header, with a value that it may have. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly sample: string;
}

/** The traits of an operation by which it is sent, read and recognised. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The names of the parameters in its path, in order. */
  readonly pathParameters: readonly string[];
  /** The path parameters that are no UUIDs, by name: their pattern, and an example. */
  readonly otherIds: Readonly<Record<string, { readonly pattern: string; readonly sample: string }>>;
  readonly queryParameters: readonly Parameter[];
  /** The header that carries the API key, and others that may carry it instead. */
  readonly keyHeader: string;
  readonly otherKeyHeaders: readonly string[];
  /** The resource that it is about, and the resource whose id is in its path. */
  readonly resource: string;
  readonly subject: string | null;
  /** What it does to its resource. */
  readonly effect: 'reads' | 'starts' | 'changes' | 'copies' | 'ends';
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
  /** The field or parameter by which it is answered only after something has happened, or so many seconds are over. */
  readonly waits: {
    readonly name: string;
    /** Without it. */
    readonly usual: number;
    readonly longest: number;
  } | null;
  /** The field of its success that is the id of its resource. */
  readonly key: string | null;
  /** The field without which a success is none (no name: the whole body), and what it holds. Null: it may be empty. */
  readonly essential: readonly [name: string, holds: string] | null;
  readonly requestBody: 'required' | 'optional' | 'none';
  readonly requestTypes: readonly string[];
  /** The deprecated fields of its body, each with the one that replaces it, or null. */
  readonly deprecatedFields: Readonly<Record<string, string | null>>;
  /** The required headers of answers, by status or range. */
  readonly requiredHeaders: Readonly<Record<string, readonly string[]>>;
}

export interface Demand {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD';
  readonly on: readonly OperationId[];
  readonly source: string;
  /** The statements of the interface that it rests on. */
  readonly statements: readonly StatementId[];
  readonly says: string;
}

export interface Rule extends Demand {
  readonly id: RuleId;
  readonly effect: Effect;
  /** What the target file must declare before the rule can be judged. */
  readonly needs: readonly string[];
  /** Whether it can be judged on a target that keeps no state. */
  readonly stateless: boolean;
  /** Set where the rule is about something that a target may leave out. */
  readonly where?: string;
}

export interface CallerRule extends Demand {
  readonly id: CallerRuleId;
}

export interface Gap {
  readonly id: GapId;
  readonly asks: string;
  readonly observable: boolean;
}

export interface Statement {
  readonly id: StatementId;
  readonly standing: 'stated' | 'implied' | 'open';
  readonly says: string;
}

/** One violation of a schema, as ajv reports it. */
export interface SchemaError {
  /** JSON Pointer to the value at fault. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Reports whether a value satisfies a schema; `errors` then holds every violation of the latest call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** Collects what callers did after a lost answer. It is given entries in the order of time. */
export interface FollowUps {
  entry(entry: Entry): void;
  finish(): void;
}

/** Everything that the engine needs of an interface. */
export interface Contract {
  /** The version of the suite. */
  readonly suite: string;
  /** The interface's own version label. */
  readonly version: string;
  readonly operations: Readonly<Record<OperationId, Operation>>;
  /** In the order of the interface. */
  readonly operationIds: readonly OperationId[];
  /** The headers that carry API keys, in small letters. */
  readonly keyHeaders: readonly string[];
  readonly keys: {
    /** Every key that a target file gives. */
    all(keys: Keys): readonly string[];
    /**
     * The headers that carry a credential to an operation; `wrong` is a key that nobody has. `tells`: a wrong key that
     * is sent and reveals the right one.
     */
    headers(
      keys: Keys,
      wrong: string,
      operation: OperationId,
      credential: Credential,
    ): { readonly headers: Readonly<Record<string, string>>; readonly tells?: string };
  };
  /** The prefix of every path: it tells most requests of other APIs. */
  readonly prefix: string;
  readonly rules: readonly Rule[];
  readonly callers: readonly CallerRule[];
  readonly gaps: readonly Gap[];
  readonly statements: readonly Statement[];
  /** The fields that callers fill as they like: what is in them is not part of the interface. */
  readonly openFields: readonly string[];
  /** From the least harmful to the worst. */
  readonly effects: readonly Effect[];
  /** The effect that has to be allowed before a declaration is of use; for `workflows.…`, that of starting them. */
  effectNeededFor(declared: string): Effect | undefined;
  /** The validators of request bodies. */
  readonly requests: { readonly [operation in OperationId]?: Validator };
  /** The fields that all error bodies have: a number and a text. */
  readonly errorBody: { readonly code: string; readonly message: string };
  /** Successes that the essential field alone does not identify have at least one of these fields. */
  readonly successFields: { readonly [operation in OperationId]?: readonly string[] };
  /** The field in which the answer to a start has the id of what it started. */
  readonly startedId: string;
  /** The kinds of things of which operations start or copy some: of what they make of another kind, a run knows nothing. */
  readonly kinds: { readonly started: string; readonly copied: string };
  /** The part of a gap's observations that does not depend on when a poll came. Default: all of them. */
  readonly certainPart: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] };
  /** How the observations of parts of a recording are merged. Default: all of them. */
  readonly mergeObservations: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] };
  /** What all transitions together show of gaps. */
  readonly transitionGaps: { readonly [gap in GapId]?: (seen: readonly Transition[]) => readonly string[] };
  transitions(evidence: Pick<Evidence, 'traces'>): readonly Transition[];
  readonly byState: (a: Pick<Transition, 'from' | 'to'>, b: Pick<Transition, 'from' | 'to'>) => number;
  readonly observers: { readonly [gap in GapId]?: Observer };
  readonly judges: Readonly<Record<RuleId, Judge>>;
  readonly callerJudges: Readonly<Record<CallerRuleId, Judge>>;
  /** The facts that are assumed of a target without a target file. */
  readonly unknownTarget: Facts;
  /** Groups recorded exchanges by the thing that they are about. */
  readonly histories: {
    /** The name of the thing that an exchange is about. */
    of(exchange: Exchange): string | undefined;
    /** The same, known from the path alone. */
    by(operation: OperationId, resource: string): string | undefined;
    begin(name: string, exchange: Exchange): History;
  };
  /** Calls `onFollowUp` with each start whose answer was lost, and what its caller did next. */
  followUps(onFollowUp: (exchanges: readonly Exchange[]) => void): FollowUps;
  /** The operation that reads what was started, by its id. It is used to check whether the service is there. */
  readonly readOperation: OperationId;
  /** The states in their order, the terminal ones, and the transitions that the interface shows. */
  readonly states: readonly string[];
  isTerminal(state: string): boolean;
  readonly shownTransitions: readonly { readonly from: string | null; readonly to: string | null }[];
  /** Whether an update changes nothing, whichever fields it has. */
  isNoop(body: unknown): boolean;
  /** Masks the secrets that the bodies of these exchanges hold: in their fields, and in any text. */
  maskOf(exchanges: readonly Exchange[]): { inPlace(body: unknown): unknown; text(plain: string): string };
  /** A body without its free fields; undefined if it has none. */
  withoutFreeFields(body: unknown): object | undefined;
}

let described: Contract | undefined;

/** Tells the engine its interface. Called once, before anything else. */
export function describe(contract: Contract): void {
  described = contract;
}

/** The interface of the suite. Throws if none was described. */
export function contract(): Contract {
  if (!described)
    throw new Error('The engine knows no interface: call describe() first, as conformance/suite/contract.ts does.');
  return described;
}
