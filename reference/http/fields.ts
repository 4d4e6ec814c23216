import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import { unnamedNames } from '../behaviour/unnamed.js';

/** The known fields of a request body, including all likely names of profile fields whose names are not shown. */
export function knownFields(id: OperationId): ReadonlySet<string> {
  const { requestFields, resource, effect }: Operation = operations[id];
  const unnamed = resource === 'profile' && effect === 'changes' ? Object.values(unnamedNames).flat() : [];
  return new Set([...requestFields, ...unnamed]);
}
