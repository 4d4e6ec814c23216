import type { Call } from '../call.js';
import type { ApiKey, Organization } from '../store.js';

/** What handlers know about a call: the request, its key and organization. */
export interface Context {
  readonly call: Call;
  readonly key: ApiKey;
  readonly organization: Organization;
}
