import type * as contract from '../generated/types.js';

/** Free-form fields take an `interface` as well, which has no index signature. */
type WithObjects<T> = T extends unknown
  ? Omit<T, 'inputs' | 'dynamicData'> & {
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
export type ExecuteRequest = WithObjects<contract.ExecuteRequest>;

/** The same for a synchronous start, with how long the service waits: `timeoutSeconds`, 1 to 25. */
export type ExecuteSyncRequest = WithObjects<contract.ExecuteSyncRequest>;
