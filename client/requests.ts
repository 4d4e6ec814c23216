/** The types of requests, a little wider than the contract's: what callers have at hand fits. */

import type { operations } from '../generated/operations.js';
import type * as contract from '../generated/types.js';

/** What `new Headers` takes. Node's types do not have the name `HeadersInit`. */
export type HeadersGiven = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** Every field may be undefined: it is then not sent. */
export type Given<T> = T extends unknown ? { [K in keyof T]: T[K] | undefined } : never;

/** Free-form fields are `object`: an `interface` has no index signature, so it would not fit a record. */
type WithObjects<T> = T extends unknown
  ? Omit<T, 'inputs' | 'dynamicData' | 'executionOptions'> & {
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
