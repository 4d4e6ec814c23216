import type { TempFileReference } from '../generated/types.js';

/** What a start asks for, whichever names the request used for it. */
export interface Start {
  readonly version?: number | undefined;
  readonly head: boolean;
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly softTimeoutMins?: number | undefined;
  readonly variantKey?: string | undefined;
  readonly profileId?: string | undefined;
  readonly poolId?: string | undefined;
  readonly queue: boolean;
  readonly tempFiles: readonly TempFileReference[];
}
