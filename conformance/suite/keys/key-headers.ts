import { type OperationId, operations } from '../../../generated/operations.js';
import type { Credential, Keys, NearKey, Target } from '../../engine/vocabulary.js';
import { keyFor } from '../target/target.js';
import { isNearKey, nearKey, tellsKey } from './near-keys.js';

/** Whether there is such a key; not every key can be spoilt in every way, and what a gateway asks for is left alone. */
export function hasKey(credential: Credential, { headers, keys }: Pick<Target, 'headers' | 'keys'>): boolean {
  if (credential === 'elsewhere') return !Object.keys(headers).some((name) => /^(?:authorization|cookie)$/i.test(name));
  if (credential === 'primary') return keys.primary !== undefined;
  return !isNearKey(credential) || nearKey(credential, keys.primary ?? '') !== undefined;
}

/** The headers that carry a credential to an operation, and what of them tells something of the right key. */
export function credentialHeaders(
  keys: Keys,
  wrong: string,
  operation: OperationId,
  credential: Credential,
): { headers: Record<string, string>; tells?: string } {
  const key = (header: string) => keyFor(keys, header, 'primary');
  const shown = operations[operation].keyHeader;
  const other = shown === 'X-Api-Key' ? 'X-Service-Agents-Api-Key' : 'X-Api-Key';
  if (isNearKey(credential)) {
    const near = nearKey(credential, key(shown) ?? '');
    if (near === undefined) return { headers: {} };
    return { headers: { [shown]: near }, ...(tellsKey(credential) && { tells: near }) };
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
