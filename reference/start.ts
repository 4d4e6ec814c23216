import type { TempFileReference } from '../generated/types.js';

/** A start, read from the current or the deprecated names. */
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
