/** What the suite of an interface does for the engine: it judges, observes, groups and masks. */
import type { CallerRuleId, Effect, GapId, OperationId, RuleId } from './contract.js';
import type { Entry, History } from './recording/history.js';
import type { Keys } from './send/request-spec.js';
import type { Transition } from './vocabulary/report.js';
import type { Credential, Evidence, Exchange, Facts, Judge, Observer } from './vocabulary.js';

/** Collects what callers did after a lost answer. It is given entries in the order of time. */
export interface FollowUps {
  entry(entry: Entry): void;
  finish(): void;
}

export interface Suite {
  /** The version of the suite. */
  readonly version: string;
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
  /** The effect that has to be allowed before a declaration is of use; for `workflows.…`, that of starting them. */
  effectNeededFor(declared: string): Effect | undefined;
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
  /** Whether an update changes nothing, whichever fields it has. */
  isNoop(body: unknown): boolean;
  /** Masks the secrets that the bodies of these exchanges hold: in their fields, and in any text. */
  maskOf(exchanges: readonly Exchange[]): { inPlace(body: unknown): unknown; text(plain: string): string };
}

let provided: Suite | undefined;

/** Gives the engine the suite of its interface. Called once, before anything else. */
export function provide(suite: Suite): void {
  provided = suite;
}

/** The suite. Throws if there is none. */
export function suite(): Suite {
  if (!provided)
    throw new Error('The engine has no suite: call provide() first, as conformance/suite/contract.ts does.');
  return provided;
}
