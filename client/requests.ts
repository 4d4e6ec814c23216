import type * as contract from '../generated/types.js';

/** What `new Headers` takes. `HeadersInit`, as browsers call it, is no name to the types of Node. */
export type HeadersGiven = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** What is undefined is not sent, so it may be given in the place of every field: none of a request is required. */
export type Given<T> = T extends unknown ? { [K in keyof T]: T[K] | undefined } : never;

/** Free-form fields take an `interface` as well, which has no index signature. */
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

/** What an execution is started with. */
export type ExecuteRequest = Given<WithObjects<contract.ExecuteRequest>>;

/** The same for a synchronous start, with how long the service waits: `timeoutSeconds`, 1 to 25. */
export type ExecuteSyncRequest = Given<WithObjects<contract.ExecuteSyncRequest>>;
