import type { Call } from '../call.js';
import type { ApiKey, Organization } from '../store.js';

/** Who calls, for which organization, and with what request. */
export interface Context {
  readonly call: Call;
  readonly key: ApiKey;
  readonly organization: Organization;
}
