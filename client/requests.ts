/** The types of requests, a little wider than the contract's: what callers have at hand fits. */

import type { operations } from '../generated/operations.js';
import type { sends } from '../generated/sends.js';
import type * as contract from '../generated/types.js';

/** What `new Headers` takes. Node's types do not have the name `HeadersInit`. */
export type HeadersGiven = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** Every field may be undefined: it is then not sent. The type of a field that another excludes names the rule. */
export type Given<T> = T extends unknown
  ? { [K in keyof T]: ([T[K]] extends [undefined] ? Excluded<RuleOf<K>> : T[K]) | undefined }
  : never;

declare const rule: unique symbol;

/** A type without values, for the compiler to show. */
interface Excluded<Rule extends string> {
  readonly [rule]: Rule;
}

type Pairs = (typeof sends)['execute']['exclusive'][number];

/** The rule that excludes a field. */
type RuleOf<K, Pair = Pairs> = Pair extends readonly [infer A extends string, infer B extends string]
  ? K extends A | B
    ? `${A} and ${B} exclude each other`
    : never
  : never;

/** Free-form fields are `object`: an `interface` has no index signature, so it would not fit a record. */
type WithObjects<T> = T extends unknown
  ? Omit<T, 'inputs' | 'dynamicData' | 'executionOptions'> & {
      /** How the execution runs. */
      executionOptions?: Given<contract.ExecutionOptions>;
      /** Values for the placeholders that the prompts define. */
      inputs?: object;
      /**
       * Use `inputs`.
       * @deprecated
       */
      dynamicData?: object;
    }
  : never;

/** The request of `execute`, `run` and `runAll`: all fields are optional. */
export type ExecuteRequest = Given<WithObjects<contract.ExecuteRequest>>;

/** What reads a start, by present names alone: where one becomes an old name, it does not compile, and has to read both. */
export type PresentStart = Omit<ExecuteRequest, keyof (typeof operations)['execute']['deprecatedFields']>;

/** The request of `executeSync`: also `timeoutSeconds`, how long the service waits (1 to 25). */
export type ExecuteSyncRequest = Given<WithObjects<contract.ExecuteSyncRequest>>;

/** The request of `updateProfile`. */
export type AgentProfileUpdate = Given<contract.AgentProfileUpdate>;

/** The request of `duplicateProfile`. */
export type DuplicateProfileRequest = Given<contract.DuplicateProfileRequest>;
