import type { OperationId } from '../generated/operations.js';
import type { responseValidator } from '../generated/validators.js';
import type { Outcome } from './answers.js';
import { isObject, isUuid } from './checks.js';
import type { Failure } from './failures.js';

/** Holds successes against the contract: what is wrong with one, if anything is. */
export const holdTo =
  (validator: typeof responseValidator) =>
  (operation: OperationId, { value, response }: Outcome): Failure | undefined => {
    const isValid = validator(operation, response.status);
    // Null: the contract has no body here.
    if (isValid === null || isValid?.(value)) return undefined;
    const seen = isValid
      ? (isValid.errors ?? [])
          .slice(0, 3)
          .map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
      : ['the contract does not list the status'];
    return {
      kind: 'contract',
      text: `the answer is not as the contract says: ${seen.join('; ')}`,
      ...(isObject(value) && isUuid(value.executionId) && { executionId: value.executionId }),
    };
  };
