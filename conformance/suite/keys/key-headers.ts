/** The headers that carry keys. */

import { type OperationId, operations } from '../../../generated/operations.js';
import type { Credential, Keys, NearKey, Target } from '../../engine/vocabulary.js';
import { keyFor } from '../target/target.js';
import { isNearKey, nearKey, revealsKey } from './near-keys.js';

/** Whether a key can be sent. Not every key can be damaged in each way; the target file's headers are kept. */
export function hasKey(credential: Credential, { headers, keys }: Pick<Target, 'headers' | 'keys'>): boolean {
  if (credential === 'elsewhere') return !Object.keys(headers).some((name) => /^(?:authorization|cookie)$/i.test(name));
  if (credential === 'primary') return keys.primary !== undefined;
  return !isNearKey(credential) || nearKey(credential, keys.primary ?? '') !== undefined;
}

/** The operations that were found to accept a target's keys only in the other header. */
const inOther = new WeakMap<Keys, Set<OperationId>>();

export const acceptsOtherHeader = (keys: Keys, operation: OperationId): void => {
  inOther.set(keys, (inOther.get(keys) ?? new Set()).add(operation));
};

/** The documented header of an operation, and the other one; swapped if keys are only accepted in the other. */
function headersOf(keys: Keys, operation: OperationId): readonly [shown: string, other: string] {
  const both = ['X-Api-Key', 'X-Service-Agents-Api-Key'] as const;
  const isFirst = operations[operation].keyHeader === both[0];
  return isFirst === (inOther.get(keys)?.has(operation) ?? false) ? [both[1], both[0]] : both;
}

/** The headers that carry a credential to an operation; `tells` is a value that reveals part of the right key. */
export function credentialHeaders(
  keys: Keys,
  wrong: string,
  operation: OperationId,
  credential: Credential,
): { headers: Record<string, string>; tells?: string } {
  const key = (header: string) => keyFor(keys, header, 'primary');
  const [shown, other] = headersOf(keys, operation);
  if (isNearKey(credential)) {
    const near = nearKey(credential, key(shown) ?? '');
    if (near === undefined) return { headers: {} };
    return { headers: { [shown]: near }, ...(revealsKey(credential) && { tells: near }) };
  }
  const sent: Record<Exclude<Credential, NearKey>, readonly [header: string, key: string | undefined][]> = {
    primary: [[shown, key(shown)]],
    restricted: [[shown, keyFor(keys, shown, 'restricted')]],
    none: [],
    elsewhere: [
      ['Authorization', `Bearer ${wrong}`],
      ['Cookie', `session=${wrong}`],
    ],
    invalid: [[shown, wrong]],
    swapped: [[other, key(other)]],
    contradicting: [
      [shown, key(shown)],
      [other, wrong],
    ],
  };
  const headers = sent[credential].filter((header): header is [string, string] => header[1] !== undefined);
  return { headers: Object.fromEntries(headers) };
}
