/**
 * What the engine is told of the interface that it works for. It knows none by itself: the suite describes one (`describe`),
 * and gives its ids to the compiler (`Known`). Without a suite every id is plain text.
 */

import type { Entry } from './recording/entry.js';
import type { History } from './recording/history.js';
import type { Evidence } from './vocabulary/evidence.js';
import type { Credential, Exchange } from './vocabulary/exchange.js';
import type { Transition } from './vocabulary/report.js';
import type { Facts, Keys } from './vocabulary/target.js';
import type { Judge, Observer } from './vocabulary/verdict.js';

/** The ids of an interface, by kind. The suite adds them: `declare module '…/engine/contract.js' { interface Known {…} }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging.
export interface Known {}
type Ids<Kind extends string> = Known extends { readonly [kind in Kind]: infer Id extends string } ? Id : string;

export type OperationId = Ids<'operation'>;
/** The operations that start something, which goes on by itself. */
export type StartId = Ids<'start'>;
export type RuleId = Ids<'rule'>;
export type CallerRuleId = Ids<'callerRule'>;
export type GapId = Ids<'gap'>;
export type StatementId = Ids<'statement'>;
/** The states of what is started. */
export type State = Ids<'state'>;
/** The worst that judging a rule does to a target; each includes the ones before it. */
export type Effect = Ids<'effect'>;

/** A parameter of the query or a header, with a value that it may have. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly sample: string;
}

/** What the contract says of an operation, as far as it is sent, read and told from others by that. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** The names in its path, in their order. */
  readonly pathParameters: readonly string[];
  /** Those of its path that are no UUIDs, by their names: what they match, and one of them. */
  readonly otherIds: Readonly<Record<string, { readonly pattern: string; readonly sample: string }>>;
  readonly queryParameters: readonly Parameter[];
  readonly headerParameters: readonly Parameter[];
  /** The header that carries the API key. */
  readonly keyHeader: string;
  /** The kind of thing that it is about, and that whose id stands last in its path. */
  readonly resource: string;
  readonly subject: string | null;
  /** What it does to the thing that it is about. */
  readonly effect: 'reads' | 'starts' | 'changes' | 'copies' | 'ends';
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean;
  /** Whether it is answered only after what it is about has happened, or not happened in time. */
  readonly waits: boolean;
  /** The field of its success that is the id of the thing that it is about. */
  readonly key: string | null;
  /** The field without which a success is none, and what that holds; without a name, the whole body. Null: a success may be empty. */
  readonly essential: readonly [name: string, holds: string] | null;
  readonly requestBody: 'required' | 'optional' | 'none';
  readonly requestTypes: readonly string[];
  /** By status or range: the media types of a success, and the headers of an answer. */
  readonly successes: Readonly<Record<string, { readonly mediaTypes: readonly string[] }>>;
  readonly requiredHeaders: Readonly<Record<string, readonly string[]>>;
}

export interface Demand {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD';
  readonly on: readonly OperationId[];
  /** The section of the interface that states it. */
  readonly source: string;
  /** Ids of the statements of the interface that it rests on. */
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
  /** What a target may or may not send, and the rule speaks of. */
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

/** What came after requests whose answer was lost; it is given entries in the order of time. */
export interface FollowUps {
  entry(entry: Entry): void;
  finish(): void;
}

/** What of an interface the engine works with. */
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
     * The headers that carry a credential to an operation; `wrong` is a key that nobody has. `tells`: what is sent instead of
     * the right key, where it tells something of that.
     */
    headers(
      keys: Keys,
      wrong: string,
      operation: OperationId,
      credential: Credential,
    ): { readonly headers: Readonly<Record<string, string>>; readonly tells?: string };
  };
  /** What every path begins with: most requests of other APIs are told by that alone. */
  readonly prefix: string;
  readonly rules: readonly Rule[];
  readonly callers: readonly CallerRule[];
  readonly gaps: readonly Gap[];
  readonly statements: readonly Statement[];
  /** From the least harm to the worst. */
  readonly effects: readonly Effect[];
  /** What a run has to be allowed before something that the target file declares is of use: `workflows.…` only when run. */
  useOf(declared: string): Effect | undefined;
  /** By operation, of those that send a body. */
  readonly requests: { readonly [operation in OperationId]?: Validator };
  /** The fields that all error bodies of the interface have, a number and a text. */
  readonly errorBody: { readonly code: string; readonly message: string };
  /** Fields of which a success has one at the least, where the essential one is not enough to know it by. */
  readonly knownBy: { readonly [operation in OperationId]?: readonly string[] };
  /** The field by which a start names what it started. */
  readonly startedId: string;
  /** What of the observations of a gap does not depend on when polling looked, where that is not all. */
  readonly surely: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] };
  /** How observations of parts of a recording add up to that of the whole, where it is not all of them. */
  readonly adding: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] };
  /** What transitions tell of gaps, all of them together. */
  readonly transitionGaps: { readonly [gap in GapId]?: (seen: readonly Transition[]) => readonly string[] };
  transitions(evidence: Pick<Evidence, 'traces'>): readonly Transition[];
  readonly byState: (a: Pick<Transition, 'from' | 'to'>, b: Pick<Transition, 'from' | 'to'>) => number;
  readonly observers: { readonly [gap in GapId]?: Observer };
  readonly judges: Readonly<Record<RuleId, Judge>>;
  readonly callerJudges: Readonly<Record<CallerRuleId, Judge>>;
  /** What is known of a target that nobody declared. */
  readonly unknownTarget: Facts;
  /** What belongs together of recorded traffic. */
  readonly histories: {
    /** What an exchange is part of: the same name for all of one thing. */
    of(exchange: Exchange): string | undefined;
    /** What a request is part of by its path alone. */
    by(operation: OperationId, resource: string): string | undefined;
    begin(name: string, exchange: Exchange): History;
  };
  /** Starts whose answer was lost, each with what its caller did next, for whoever judges that. */
  followUps(onFollowUp: (exchanges: readonly Exchange[]) => void): FollowUps;
  /** The operation that reads what was started, by its id: it tells whether anybody is there. */
  readonly look: OperationId;
  /** The states of what is started: in order, those that are never left, and the transitions that the interface shows. */
  readonly states: readonly string[];
  isTerminal(state: string): boolean;
  readonly shownTransitions: readonly { readonly from: string | null; readonly to: string | null }[];
  /** Where the report draws the states, in a picture of 920 by 400. */
  readonly picture: { readonly [state: string]: readonly [x: number, y: number] };
  /** Whether an update changes nothing, whatever it names. */
  isIdle(body: unknown): boolean;
  /** Takes URLs that let in whoever has them, such as these exchanges show, out of texts. */
  openUrlsOut(exchanges: readonly Exchange[]): (text: string) => string;
  /** A body without what is in its free fields; undefined where it has none. */
  withoutFreeFields(body: unknown): object | undefined;
}

let described: Contract | undefined;

/** Tells the engine its interface; once, before anything else is asked of it. */
export function describe(contract: Contract): void {
  described = contract;
}

/** The interface that the engine works for. Throws where nobody has described it. */
export function contract(): Contract {
  if (!described)
    throw new Error('The engine knows no interface: call describe() first, as conformance/suite/contract.ts does.');
  return described;
}
