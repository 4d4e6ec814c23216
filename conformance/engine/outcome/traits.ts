/** What the contract says of an operation: what tells one from others is asked here, not its name. */
import { contract, type Operation, type OperationId } from '../contract.js';

export interface Asked {
  readonly operation: OperationId | null;
}

/** Undefined for what is no operation of the contract. */
export const traitsOf = ({ operation }: Asked): Operation | undefined =>
  operation === null ? undefined : contract().operations[operation];

export const starts = (asked: Asked): boolean => traitsOf(asked)?.effect === 'starts';
/** Starts something from another of its kind, as a rerun does: what it takes from that, its request does not say. */
export const repeats = (asked: Asked): boolean =>
  starts(asked) && traitsOf(asked)?.subject === traitsOf(asked)?.resource;
export const copies = (asked: Asked): boolean => traitsOf(asked)?.effect === 'copies';
export const reads = (asked: Asked): boolean => traitsOf(asked)?.effect === 'reads';
/** Whether it makes what is there go otherwise, or end. */
export const steers = (asked: Asked): boolean => ['changes', 'ends'].includes(traitsOf(asked)?.effect ?? '');
/** Whether what it ends is there no more: HTTP's own word for that. */
export const removes = (asked: Asked): boolean =>
  traitsOf(asked)?.effect === 'ends' && traitsOf(asked)?.method === 'DELETE';
