import type { Bounds, OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import { WorkflowError } from './errors.js';

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const refused = (operation: OperationId, text: string) =>
  new WorkflowError('invalid-request', `${operation}: ${text} Nothing was sent.`, { operation });

/** The name of the id in a path: each has one. */
export const idIn = (path: string): string => path.replace(/.*{|}.*/g, '');

type Body = Readonly<Record<string, unknown>>;

/**
 * Throws `invalid-request` for what the interface forbids to send: an id that is no UUID, fields that exclude each other,
 * numbers and lengths out of bounds, a queue for temp files.
 */
export function checkRequest(operation: OperationId, id: string, body: Body = {}): void {
  const { path, exclusive = [], bounds = {} }: Sent = sends[operation];
  // An id such as `..` would reach another path.
  if (!isUuid(id)) throw refused(operation, `${idIn(path)} must be a UUID.`);
  if (!isObject(body)) throw refused(operation, 'The request must be an object.');
  for (const [one, other] of exclusive) {
    if (body[one] !== undefined && body[other] !== undefined) {
      throw refused(operation, `${one} and ${other} exclude each other.`);
    }
  }
  for (const [field, bound] of Object.entries<Bounds>(bounds)) checkBounds(operation, field, at(body, field), bound);
  // interface: Errors, rule 4
  if (body.onCapacityLimit === 'queue' && Array.isArray(body.tempFiles) && body.tempFiles.length > 0) {
    throw refused(operation, 'Temp files cannot be queued: leave out onCapacityLimit or tempFiles.');
  }
}

const at = (body: unknown, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);

function checkBounds(operation: OperationId, field: string, value: unknown, { of, minimum, maximum }: Bounds): void {
  if (value === undefined || value === null) return;
  const size = of === 'integer' ? value : typeof value === 'string' ? [...value].length : 0;
  const isWhole = Number.isInteger(size);
  if (isWhole && (size as number) >= (minimum ?? -Infinity) && (size as number) <= (maximum ?? Infinity)) return;
  const range = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `up to ${maximum}`];
  const kind = of === 'integer' ? 'a whole number' : 'a text of characters';
  throw refused(operation, `${field} must be ${kind} ${range.filter(Boolean).join(' ')}.`);
}

/** Throws what it is told to for what can be no headers. */
export function headersOf(headers: unknown, mistake: (text: string) => Error): Headers {
  try {
    return new Headers(headers as HeadersInit | undefined);
  } catch {
    throw mistake('headers has a name or a value that no header can have.');
  }
}

interface Common {
  signal?: unknown;
  headers?: unknown;
}

/** Throws `invalid-request` for options that are no object, or of the wrong type; `numbers` have to be above 0. */
export function checkOptions<Name extends string>(
  operation: OperationId,
  options: Common & { [name in Name]?: unknown },
  numbers: readonly Name[],
): void {
  if (!isObject(options)) throw refused(operation, 'The options must be an object.');
  const { signal, headers } = options;
  if (signal !== undefined && !(isObject(signal) && 'aborted' in signal))
    throw refused(operation, 'signal must be an AbortSignal.');
  headersOf(headers, (text) => refused(operation, text));
  for (const name of numbers) {
    const value = options[name];
    if (value !== undefined && !(typeof value === 'number' && value > 0))
      throw refused(operation, `${name} must be a number above 0.`);
  }
}

/** Throws `invalid-request` unless the option is left out or a function. */
export function checkFunction(operation: OperationId, name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw refused(operation, `${name} must be a function.`);
}

/** Throws `invalid-request` for a status that the contract does not know: waiting for it might never end. */
export function checkStatuses(operation: OperationId, known: readonly string[], wanted: readonly string[] = []): void {
  if (!Array.isArray(wanted)) throw refused(operation, 'until must be a list of states.');
  for (const status of wanted) {
    if (!known.includes(status)) throw refused(operation, `until names ${JSON.stringify(status)}, which is no status.`);
  }
}
