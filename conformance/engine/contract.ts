/**
 * What the engine knows of the interface, as data. The suite describes it (`describe`) and gives its ids to the compiler
 * (`KnownIds`). Without a suite every id is plain text.
 */

/** The ids of an interface, by kind. The suite adds them: `declare module '…/engine/contract.js' { interface KnownIds {…} }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging.
export interface KnownIds {}
type Ids<Kind extends string> = KnownIds extends { readonly [kind in Kind]: infer Id extends string } ? Id : string;

export type OperationId = Ids<'operation'>;
/** Operations that start something that then goes on by itself. */
export type StartId = Ids<'start'>;
export type RuleId = Ids<'rule'>;
export type CallerRuleId = Ids<'callerRule'>;
export type GapId = Ids<'gap'>;
export type StatementId = Ids<'statement'>;
export type State = Ids<'state'>;
/** A field of the body of a start that is not deprecated. */
export type StartField = Ids<'startField'>;
/** The worst effect that judging a rule has on a target. Each includes those before it. */
export type Effect = Ids<'effect'>;

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
  /** Other paths to it, and those of all its paths that are deprecated. */
  readonly otherPaths: readonly string[];
  readonly deprecatedPaths: readonly string[];
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

/** What the engine knows of an interface. */
export interface Contract {
  /** The interface's own version label. */
  readonly version: string;
  readonly operations: Readonly<Record<OperationId, Operation>>;
  /** In the order of the interface. */
  readonly operationIds: readonly OperationId[];
  /** The headers that carry API keys, in small letters. */
  readonly keyHeaders: readonly string[];
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
  /** The validators of request bodies. */
  readonly requests: { readonly [operation in OperationId]?: Validator };
  /** The fields that all error bodies have, a number and a text, and the other texts of the standard one. */
  readonly errorBody: { readonly code: string; readonly message: string; readonly others: readonly string[] };
  /** Successes that the essential field alone does not identify have at least one of these fields. */
  readonly successFields: { readonly [operation in OperationId]?: readonly string[] };
  /** The field in which the answer to a start has the id of what it started. */
  readonly startedId: string;
  /** The kinds of things of which operations start or copy some: of what they make of another kind, a run knows nothing. */
  readonly kinds: { readonly started: string; readonly copied: string };
  /** The operation that reads what was started, by its id. It is used to check whether the service is there. */
  readonly readOperation: OperationId;
  /** The states in their order, the terminal ones, and the transitions that the interface shows. */
  readonly states: readonly string[];
  isTerminal(state: string): boolean;
  readonly shownTransitions: readonly { readonly from: string | null; readonly to: string | null }[];
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
