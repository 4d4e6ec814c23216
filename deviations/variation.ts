import type { AppOptions } from '../reference/app.js';
import type { Deviation } from '../reference/deviation.js';
import type { ServiceOptions } from '../reference/service.js';

/** A way to conform that no caller expects and every caller has to bear. */
export type Variation =
  | Deviation
  | {
      readonly id: string;
      readonly says: string;
      readonly options: Omit<ServiceOptions, 'deviations'> & AppOptions & { readonly faults?: readonly Deviation[] };
    };
