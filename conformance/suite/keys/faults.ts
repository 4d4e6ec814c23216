import type { OperationId } from '../../../generated/operations.js';
import type { Credential } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';

/** No key and a key that nobody has, and the rule that each must be refused by. */
export const wrongKeys = [
  ['missing-key-is-401', 'none', 'no key'],
  ['invalid-key-is-401', 'invalid', 'a wrong key'],
] as const;

/** Keys with which nothing may be done. */
export const keyFaults = [
  ...wrongKeys,
  ['insufficient-permission-is-403', 'restricted', 'a key without the permission'],
] as const;

/** Whether an operation must be refused with such a key. For the restricted one, the target file says so. */
export const deniedFor = ({ facts: { restricted } }: Driver, credential: Credential, operation: OperationId): boolean =>
  credential !== 'restricted' || restricted?.denied.includes(operation) === true;
