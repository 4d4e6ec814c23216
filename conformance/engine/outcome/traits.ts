/** What the contract says of an operation: what tells one from others is asked here, not its name. */
import { type Operation, type OperationId, type OperationWith, operations } from '../../../generated/operations.js';

export interface Asked {
  readonly operation: OperationId | null;
}

/** Undefined for what is no operation of the contract. */
export const traitsOf = ({ operation }: Asked): Operation | undefined =>
  operation === null ? undefined : operations[operation];

/** An operation that starts an execution. */
export type StartId = OperationWith<{ effect: 'starts' }>;

export const starts = (asked: Asked): boolean => traitsOf(asked)?.effect === 'starts';
export const copies = (asked: Asked): boolean => traitsOf(asked)?.effect === 'copies';
export const reads = (asked: Asked): boolean => traitsOf(asked)?.effect === 'reads';
