import { isObject } from '../common/values.js';
import type { OperationId } from '../generated/operations.js';
import type { responseValidator } from '../generated/validators.js';
import type { Outcome } from './answers.js';
import type { Failure } from './failures.js';

/** Checks successful answers against the contract. Returns what is wrong, or undefined. */
export const contractCheck =
  (validator: typeof responseValidator) =>
  (operation: OperationId, { value, response }: Outcome): Failure | undefined => {
    const isValid = validator(operation, response.status);
    // Null: the contract defines no body for this status.
    if (isValid === null || isValid?.(value)) return undefined;
    const seen = isValid
      ? (isValid.errors ?? [])
          .slice(0, 3)
          .map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
      : ['the contract does not list the status'];
    return {
      kind: 'invalid-response',
      text: `the answer is not as the contract says: ${seen.join('; ')}`,
      ...(isObject(value) && typeof value.executionId === 'string' && { executionId: value.executionId }),
    };
  };
