/**
 * What operations do. Code compares this and never the name of an operation, so a second path to an operation counts as
 * that operation. Others: `isWaitingStart`, `isCopyRequest`.
 */
import { type Operation, type OperationId, operationIds, operations } from '../../generated/operations.js';
import { accepted, type HasOperation, requestBody, status } from '../engine/outcome/read.js';
import type { Evidence, Exchange } from '../engine/vocabulary.js';

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

// The bounds of the numbers that a start gives. interface: Limits.

const { 'executionOptions.softTimeoutMins': timeout, timeoutSeconds } = operations.executeSync.bounds;
export const leastSoftTimeoutMins: number = timeout.minimum;
export const leastWaitSeconds: number = timeoutSeconds.minimum;
export const longestWaitSeconds: number = timeoutSeconds.maximum;
// Updates that may have been refused because they carried no name.
/**
 * Whether an update may have been refused because it has no name: none without one was ever accepted. interface: PATCH
 * agent-profiles, which fields are required is not shown.
 */

export const mayLackName = ({ exchanges }: Evidence, probe: Exchange): boolean => {
  const isNameless = (one: Exchange) => updatesProfile(one) && !('name' in (requestBody(one) ?? {}));
  return (
    isNameless(probe) &&
    [400, 422].includes(status(probe) ?? 0) &&
    !exchanges.some((one) => isNameless(one) && accepted(one))
  );
};
export const lacksName = 'The update may have been refused for its missing name: none without a name was accepted.';
