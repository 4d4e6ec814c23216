import { type OperationId, operations } from '../generated/operations.js';
import { WorkflowError } from './errors.js';

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

const refused = (operation: OperationId, text: string) =>
  new WorkflowError('invalid-request', `${operation}: ${text} Nothing was sent.`, { operation });

/** Throws `invalid-request` for what must not be sent: an id that is no UUID, fields that exclude each other. */
export function checkRequest(operation: OperationId, id: string, body?: Readonly<Record<string, unknown>>): void {
  const { pathParameter, exclusive } = operations[operation];
  // An id such as `..` would reach another path.
  if (!isUuid(id)) throw refused(operation, `${pathParameter} must be a UUID.`);
  for (const [one, other] of exclusive) {
    if (body?.[one] !== undefined && body[other] !== undefined) {
      throw refused(operation, `${one} and ${other} exclude each other.`);
    }
  }
}

/** Throws `invalid-request` unless the option is left out or a number above 0. */
export function checkPositive(operation: OperationId, name: string, value: number | undefined): void {
  if (value !== undefined && !(value > 0)) throw refused(operation, `${name} must be a number above 0.`);
}

/** Throws `invalid-request` for a status that the contract does not know: waiting for it might never end. */
export function checkStatuses(operation: OperationId, known: readonly string[], wanted: readonly string[]): void {
  for (const status of wanted) {
    if (!known.includes(status)) throw refused(operation, `until names ${JSON.stringify(status)}, which is no status.`);
  }
}
