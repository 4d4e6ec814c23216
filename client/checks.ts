/** Checks what the caller passes, before anything is sent. */

import { isObject, uuid } from '../common/values.js';
import type { Bounds, OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import { WorkflowError } from './errors.js';
import type { HeadersGiven, PresentStart } from './requests.js';

/** Whether an id is a UUID, in either case, or matches the pattern that the contract has instead. */
export const isId = (value: unknown, pattern?: string): value is string =>
  typeof value === 'string' && (pattern ? RegExp(pattern, 'u') : uuid).test(value);

/** Creates the error for a mistake of the caller. */
export type Refuse = (text: string) => WorkflowError;

/** `method` names the method that was called, if it is not an operation. */
export const refusing =
  (operation: OperationId, method: string = operation): Refuse =>
  (text) =>
    new WorkflowError('invalid-request', `${method}: ${text} Nothing was sent.`, { operation });

/** Path parameters by name. */
export type Ids = Readonly<Record<string, string>>;

/** A hint for a value that is not a UUID: the most likely mistake. */
const instead = (value: unknown): string =>
  value === undefined
    ? ', and is undefined'
    : isObject(value)
      ? `: ${'then' in value ? 'await what gives it' : 'give the id in the object'}`
      : /[0-9a-f]{8}-?[0-9a-f]{4}-/i.test(`${value}`)
        ? ', with nothing around it'
        : '';

/** These become `{}` in JSON, so their contents would be lost. */
const isHollow = (value: unknown): boolean => value instanceof Promise || value instanceof Map || value instanceof Set;

type Body = Readonly<Record<string, unknown>>;

/** Whether a start is to wait where there is no room. */
export const asksToQueue = ({ onCapacityLimit }: PresentStart): boolean => onCapacityLimit === 'queue';

/**
 * Throws `invalid-request` for what the interface forbids: an id that is no UUID, fields that exclude each other,
 * numbers and lengths out of bounds, also of parameters, temp files with `onCapacityLimit: 'queue'`. Also for fields that the contract does
 * not have: they would have no effect.
 */
export function checkRequest(
  operation: OperationId,
  ids: Ids,
  body: Body = {},
  options: object = {},
  refuse = refusing(operation),
): void {
  const { exclusive = [], bounds = {}, otherIds = {}, fields = '' }: Sent = sends[operation];
  // An id such as `..` would lead to another path.
  for (const [name, id] of Object.entries(ids))
    if (!isId(id, otherIds[name]))
      throw refuse(`${name} must ${otherIds[name] ? `match ${otherIds[name]}` : 'be a UUID'}${instead(id)}.`);
  if (!isObject(body) || Array.isArray(body)) throw refuse('The request must be an object.');
  for (const [name, value] of [['The request', body], ...Object.entries(body)])
    if (isHollow(value)) throw refuse(`${name} must be a plain object, not a promise, a Map or a Set.`);
  checkFields(refuse, body, fields.split(' '), options);
  for (const [one, other] of exclusive)
    if (body[one] !== undefined && body[other] !== undefined) throw refuse(`${one} and ${other} exclude each other.`);
  for (const [field, bound] of Object.entries<Bounds>(bounds)) {
    const value = field.split('.').reduce<unknown>((within, name) => (within as Body | null)?.[name], {
      ...body,
      ...(options as { query?: Body }).query,
    });
    checkBounds(refuse, field, value, bound);
  }
  // interface: Errors, rule 4
  const { tempFiles } = body as PresentStart;
  if (asksToQueue(body) && tempFiles?.length)
    throw refuse('Temp files cannot be queued: leave out onCapacityLimit or tempFiles.');
}

/** Throws for a field that is not one of `fields`; within an object, its name has the dot of a path. */
function checkFields(refuse: Refuse, body: Body, fields: readonly string[], options: object, within = ''): void {
  for (const [name, value] of Object.entries(body)) {
    const path = within + name;
    if (value === undefined) continue;
    if (name in options) throw refuse(`${name} is an option: options come after the request.`);
    if (!fields.includes(path)) throw refuse(unknown(path, 'a field of the request', fields));
    const isParent = fields.some((field) => field.startsWith(`${path}.`));
    if (isParent && isObject(value)) checkFields(refuse, value, fields, {}, `${path}.`);
  }
}

const pairsOf = (word: string) => [...word.slice(1)].map((letter, place) => (word[place] + letter).toLowerCase());

/** How alike two words are, from 0 to 1, by the pairs of letters that they share. */
function likeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  return (2 * a.filter((pair) => b.includes(pair)).length) / (a.length + b.length);
}

/** Refuses a name: suggests the known name that is most like it, or lists all. */
function unknown(name: string, what: string, known: readonly string[]): string {
  const [[alike, nearest] = [0]] = known.map((one) => [likeness(one, name), one] as const).sort(([a], [b]) => b - a);
  return `${name} is not ${what}; ${alike > 0.4 ? `did you mean ${nearest}?` : `there are ${known.join(', ')}.`}`;
}

/** Throws if a number, or the length of a text in characters, is out of bounds. Undefined is within. */
export function checkBounds(refuse: Refuse, name: string, value: unknown, { of, minimum, maximum }: Bounds): void {
  if (value === undefined) return;
  const size = of === 'integer' ? value : typeof value === 'string' ? [...value].length : undefined;
  // Nothing is below or above a bound that there is not.
  if (Number.isInteger(size) && !((size as number) < (minimum as number)) && !((size as number) > (maximum as number)))
    return;
  const kind = of === 'integer' ? 'a whole number' : 'a text of characters';
  const from = minimum === undefined ? '' : ` from ${minimum}`;
  const to = maximum === undefined ? '' : ` up to ${maximum}`;
  throw refuse(`${name} must be ${kind}${from}${to}.`);
}

/** All options, with the type to check. `any`: checked elsewhere, or not at all. */
export type Known<Options> = Readonly<Record<keyof Options, 'number' | 'function' | 'any'>>;

/**
 * Throws for options that are no object, unknown, or of the wrong type; numbers must be above 0. Returns the headers to
 * send: `usual`, overridden by those of the options.
 */
export function checkOptions<Options extends object>(
  refuse: Refuse,
  options: Options & { signal?: unknown; headers?: unknown; maxRetries?: unknown },
  known: Known<Options>,
  usual = new Headers(),
): Headers {
  if (!isObject(options)) throw refuse('The options must be an object.');
  const given: Readonly<Record<string, unknown>> = options;
  for (const [name, value] of Object.entries(given)) {
    const fitting = Object.entries(known).filter(([, type]) => type === 'any' || type === typeof value);
    if (!Object.hasOwn(known, name))
      throw refuse(
        unknown(
          name,
          'an option',
          fitting.map(([one]) => one),
        ),
      );
  }
  for (const [name, type] of Object.entries(known)) {
    const value = given[name];
    if (value === undefined) continue;
    if (type === 'number' && !(typeof value === 'number' && value > 0))
      throw refuse(`${name} must be a number above 0.`);
    if (type === 'function' && typeof value !== 'function') throw refuse(`${name} must be a function.`);
  }
  const { signal, headers, maxRetries } = options;
  checkBounds(refuse, 'maxRetries', maxRetries, { of: 'integer', minimum: 0 });
  if (signal !== undefined && !(isObject(signal) && 'aborted' in signal && 'addEventListener' in signal))
    throw refuse('signal must be an AbortSignal.');
  if (headers === undefined) return usual;
  try {
    const all = new Headers(usual);
    // `new Headers` would send the word "undefined".
    if (Object.values(headers as object).includes(undefined)) throw headers;
    for (const [name, value] of new Headers(headers as HeadersGiven)) all.set(name, value);
    return all;
  } catch {
    throw refuse('headers has a name or a value that is not valid in HTTP.');
  }
}
