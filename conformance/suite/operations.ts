/**
 * What operations do. Code compares this and never the name of an operation, so a second path to an operation counts as
 * that operation. Others: `isWaitingStart`, `isCopyRequest`.
 */
import { type Operation, type OperationId, operationIds, operations } from '../../generated/operations.js';
import type { HasOperation } from '../engine/outcome/read.js';

type Role = (asked: HasOperation) => boolean;

/** Whether an operation does what this one does: the same to the same, with the same body. */
function like(name: OperationId): Role {
  const traits = (id: OperationId) => {
    const { effect, resource, subject, waits, requestSchema }: Operation = operations[id];
    return JSON.stringify([effect, resource, subject, waits !== null, requestSchema]);
  };
  const alike = new Set<string | null>(operationIds.filter((id) => traits(id) === traits(name)));
  return ({ operation }) => alike.has(operation);
}

export const startsAtOnce = like('execute');
export const readsExecution = like('getExecution');
export const listsFiles = like('listExecutionFiles');
export const updatesProfile = like('updateProfile');
export const deletesPool = like('deletePool');
