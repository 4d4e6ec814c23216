import { type OperationId, operations } from '../generated/operations.js';
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
  if (!(error instanceof Refusal))
    return { status: 500, code: 500, message: 'The service failed.', errors: [], instance };
  const { message, errors } = error;
  const documented = operation === undefined || documents(operation, error.status);
  if (documented) return { status: error.status, code: error.code, message, errors, instance };
  const status = operation === undefined || documents(operation, 400) ? 400 : 404;
  return { status, code: status, message, errors, instance };
}

function documents(operation: OperationId, status: number): boolean {
  const { responses } = operations[operation];
  return `${status}` in responses || `${Math.floor(status / 100)}XX` in responses;
}
