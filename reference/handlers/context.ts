import type { Call } from '../http/call.js';
import type { ApiKey, Organization } from '../store.js';

/** Who calls, for which organization, and with what request. */
export interface Context {
  readonly call: Call;
  readonly key: ApiKey;
  readonly organization: Organization;
}

/** Throws the refusal, if there is one. */
export function refuseOn(refusal: Error | undefined): void {
  if (refusal) throw refusal;
}

/** What was looked up, or the refusal for its not being there. */
export function found<T>(value: T | undefined, refusal: () => Error): T {
  if (value === undefined) throw refusal();
  return value;
}
