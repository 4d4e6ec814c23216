import { fields } from '../generated/fields.js';
import { type Operation, type OperationId, operations } from '../generated/operations.js';
import type { ParameterError } from '../generated/types.js';

/** The refusal of a request. It is thrown where the reason is found, and becomes an answer in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: readonly ParameterError[];

  /** `status` may include another code, as in `409/2001`; otherwise the code is the status. */
  constructor(status: number | string, message: string, errors: readonly ParameterError[] = []) {
    super(message);
    const [httpStatus, code] = String(status).split('/').map(Number);
    this.status = httpStatus ?? 400;
    this.code = code ?? this.status;
    this.errors = errors;
  }
}

/** The contents of an error body. `instance` is the path of the request. */
export interface Problem {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly errors: readonly ParameterError[];
  readonly instance: string;
  /** The schema that the contract has for it. */
  readonly schema?: keyof typeof fields | undefined;
}

/** Creates a refusal because of one parameter, whose detail is also the message. */
export const refuseParameter = (status: number | string, parameter: string, detail: string): Refusal =>
  new Refusal(status, `${parameter} ${detail}.`, [{ parameter, detail }]);

/** Throws the refusal, if there is one. */
export function refuseOn(refusal: Error | undefined): void {
  if (refusal) throw refusal;
}

/** Returns the value; throws the refusal if it is undefined. */
export function found<T>(value: T | undefined, refusal: () => Error): T {
  if (value === undefined) throw refusal();
  return value;
}

/** The problem to report for an error. A status that the contract does not list for the operation becomes one that it lists. */
export function problemOf(operation: OperationId | undefined, error: unknown, instance: string): Problem {
  const known = error instanceof Refusal ? error : new Refusal(500, 'The service failed.');
  const { message, errors } = known;
  const isListed = operation === undefined || known.status === 500 || entryOf(operation, known.status) !== undefined;
  const other = operation === undefined || entryOf(operation, 400) !== undefined ? 400 : 404;
  const [status, code] = isListed ? [known.status, known.code] : [other, other];
  const schema = operation === undefined ? undefined : entryOf(operation, status);
  const isKnown = (name: string): name is keyof typeof fields => name in fields;
  return { status, code, message, errors, instance, ...(schema && isKnown(schema) && { schema }) };
}

/** What the contract has for a failure: the name of a schema, null for one without a name. */
function entryOf(operation: OperationId, status: number): string | null | undefined {
  const { failures, errorBody }: Operation = operations[operation];
  const range = failures[`${Math.floor(status / 100)}XX`];
  const found = `${status}` in failures ? failures[status] : range;
  // Of two bodies that may be sent, the simple one has the fields that are listed for it alone.
  return found && errorBody === 'either' ? 'SimpleError' : found;
}
