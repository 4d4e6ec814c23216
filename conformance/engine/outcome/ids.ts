import { contract, type OperationId } from '../contract.js';
import { isUuid } from '../rule/values.js';
import type { Exchange } from '../vocabulary.js';

/** Whether a text has the form of the last id in the path of an operation. */
export function isIdOf(operation: OperationId, text: unknown): boolean {
  const { pathParameters, otherIds } = contract().operations[operation];
  const other = otherIds[pathParameters.at(-1) ?? ''];
  return other ? typeof text === 'string' && new RegExp(other.pattern, 'u').test(text) : isUuid(text);
}

/** Whether the id in the path has not the form that the operation asks for. */
export const hasMalformedId = ({ operation, resource }: Exchange): boolean =>
  operation !== null && resource !== null && !isIdOf(operation, resource);
