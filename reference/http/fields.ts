import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import { unnamedNames } from '../behaviour/unnamed.js';

/** The fields that a body may have. Those of a profile that have no shown name count under every name. */
export function knownFields(id: OperationId): ReadonlySet<string> {
  const { requestFields, resource, effect }: Operation = operations[id];
  const unnamed = resource === 'profile' && effect === 'changes' ? Object.values(unnamedNames).flat() : [];
  return new Set([...requestFields, ...unnamed]);
}
