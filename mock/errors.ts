import type { Operation } from '../generated/operations.js';

/** The mock cannot be started the way it was asked for: one line that says why and the way out. */
export class MockError extends Error {
  readonly exitCode = 2;
}

/** The error body of an operation, standard or simple, for a failure that the contract has no example of. */
export function errorBody(kind: Operation['errorBody'] | undefined, status: number, message: string, instance: string) {
  if (kind !== 'standard') return { code: status, message };
  return { code: status, message, detail: message, instance, status, type: 'about:blank' };
}

/** What both error bodies have in common. */
export function isErrorBody(
  body: unknown,
): body is { code: number; message: string; status?: unknown; instance?: unknown } {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return Number.isInteger(code) && typeof message === 'string';
}
