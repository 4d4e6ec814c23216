import type { rules } from '../generated/rules.js';
import type { AppOptions } from '../reference/app.js';
import type { Deviation } from '../reference/deviation.js';
import type { ServiceOptions } from '../reference/service.js';

/** What is at most implied: a service that breaks it conforms, and is warned. */
type ShouldId = Extract<(typeof rules)[number], { level: 'SHOULD' }>['id'];

/** A way to conform that no caller expects and every caller has to bear. */
export type Variation = (
  | Deviation
  | {
      readonly id: string;
      readonly says: string;
      readonly options: Omit<ServiceOptions, 'deviations'> & AppOptions & { readonly faults?: readonly Deviation[] };
    }
) & {
  /** The rules that a service of this kind is warned of: all of them, and no others. */
  readonly warns?: readonly ShouldId[];
};
