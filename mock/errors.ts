import type { Operation } from '../generated/operations.js';

/** An error body of an operation, standard or simple, for an error of which the contract has no example. */
export function errorBody(kind: Operation['errorBody'] | undefined, status: number, message: string, instance: string) {
  if (kind !== 'standard') return { code: status, message };
  return { code: status, message, detail: message, instance, status, type: 'about:blank' };
}

/** Whether a value has the fields that both error bodies share. */
export function isErrorBody(
  body: unknown,
): body is { code: number; message: string; status?: unknown; instance?: unknown } {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return Number.isInteger(code) && typeof message === 'string';
}
