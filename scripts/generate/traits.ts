/** Reads and checks the traits of operations. */

import type { Document, Operation } from './document.js';
import { conjuncts, propertiesIn } from './resolve.js';
import type { Schema } from './schema.js';

export const effects = ['reads', 'starts', 'changes', 'copies', 'ends'] as const;
const known = ['resource', 'effect', 'repeatable', 'waits', 'key', 'essential', 'subject'] as const;
/** The idempotent methods of HTTP. */
const repeatable: readonly string[] = ['GET', 'PUT', 'DELETE'];

/** The traits of an operation in `x-operation`, which "Traits of an operation" in CONTRIBUTING.md explains. */
export interface Traits {
  /** The kind of thing that the operation is about. */
  resource: string;
  effect: (typeof effects)[number];
  /** Whether it is idempotent. */
  repeatable: boolean;
  /** The field or parameter by which it answers only when something has happened, or so many seconds are over. */
  waits?: Wait;
  /** The field of a success with the id of the thing that was started or made, if any. */
  key?: string;
  /** The field that every success must have, and its type. With an empty name it is the whole body. */
  essential?: [name: string, type: string];
  /** The kind of thing whose id is last in its path. */
  subject?: string;
}

export interface Wait {
  name: string;
  /** Seconds, without it and at most. */
  usual: number;
  longest: number;
}

/** Reads the traits of an operation. Throws an error that says what is wrong, and what is allowed. */
export function readTraits(document: Document, operation: Omit<Operation, 'traits'>, given: unknown): Traits {
  const { id, method, parameters } = operation;
  const resources = Object.keys(document['x-resources'] ?? {});
  const refuse = (says: string) =>
    new Error(`${id}: ${says}. CONTRIBUTING.md, "Traits of an operation", explains x-operation.`);
  const mustBeOneOf = (name: string, value: unknown, names: readonly string[]): void => {
    if (names.includes(value as string)) return;
    throw refuse(`x-operation.${name} is ${JSON.stringify(value) ?? 'missing'}; it must be one of ${names.join(', ')}`);
  };
  if (typeof given !== 'object' || given === null)
    throw refuse('it has no x-operation, which says at least resource and effect');
  for (const name of Object.keys(given))
    if (!(known as readonly string[]).includes(name))
      throw refuse(`x-operation has no ${name}; it has ${known.join(', ')}, or is alone`);
  const stated = given as Partial<Record<(typeof known)[number], unknown>>;
  mustBeOneOf('resource', stated.resource, resources);
  mustBeOneOf('effect', stated.effect, effects);
  const effect = stated.effect as Traits['effect'];
  const twice = stated.repeatable ?? (effect === 'reads' || repeatable.includes(method));
  if (typeof twice !== 'boolean') throw refuse('x-operation.repeatable must be true or false');
  const waits = stated.waits === undefined ? undefined : waitBy(document, operation, stated.waits);
  if (waits === null)
    throw refuse(
      `x-operation.waits is ${JSON.stringify(stated.waits)}; it must be the name of a field of its body or a parameter of its query, a number with a maximum`,
    );
  if (effect === 'reads' && !twice) throw refuse('what reads is repeatable');
  if ((effect === 'starts' || effect === 'copies') && stated.key === undefined)
    throw refuse(`what ${effect} must say by x-operation.key which field of its success is the id of what comes of it`);

  const type = (name: 'key' | 'essential'): string | undefined => {
    const field = stated[name];
    if (field === undefined) return undefined;
    const types = operation.responses
      .filter(({ success, mediaTypes }) => success && mediaTypes.length > 0)
      .map(({ status, body }) => {
        const found = body && requiredType(document, body.schema, `${field}`);
        if (found === undefined)
          throw refuse(`x-operation.${name} is ${field}, which the success ${status} does not require`);
        return found;
      });
    if (types.length === 0) throw refuse(`x-operation.${name} is ${field}, and no success has a body`);
    return types[0];
  };
  const keyType = type('key');
  if (keyType !== undefined && keyType !== 'uuid' && keyType !== 'string')
    throw refuse(`x-operation.key is ${stated.key}, which is no id`);
  const field = (stated.essential ?? stated.key) as string | undefined;
  const essential =
    field === undefined
      ? wholeOf(document, operation, refuse)
      : [field, type(stated.essential ? 'essential' : 'key') ?? ''];
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const subject =
    stated.subject ?? inPath.map((name) => name.replace(/Id$/, '')).find((name) => resources.includes(name));
  if (inPath.length > 0)
    mustBeOneOf(
      `subject (whose id is {${inPath[0]}} in its path? Or call it ${resources[0]}Id, for instance)`,
      subject,
      resources,
    );
  return {
    resource: stated.resource as string,
    effect,
    repeatable: twice,
    ...(waits && { waits }),
    ...(stated.key !== undefined && { key: stated.key as string }),
    ...(essential && { essential: essential as [string, string] }),
    ...(subject !== undefined && { subject: subject as string }),
  };
}

/** Where a request says how many seconds to wait. Null: that is no number with a maximum. */
function waitBy(document: Document, { parameters, request }: Omit<Operation, 'traits'>, name: unknown): Wait | null {
  const parameter = parameters.find((one) => one.name === name && one.in === 'query');
  const fields = request?.body ? propertiesIn(document, request.body.schema) : new Map<unknown, Schema[]>();
  const schemas = parameter ? [parameter.schema] : (fields.get(name as string) ?? []);
  const parts: Record<string, unknown> = Object.assign({}, ...schemas.flatMap((one) => conjuncts(document, one)));
  const { type, maximum, default: usual = 0 } = parts;
  if ((type !== 'integer' && type !== 'number') || typeof maximum !== 'number') return null;
  return { name: `${name}`, usual: Number(usual), longest: maximum };
}

/** If all successes have a typed body without an essential field: the whole body, with its type. */
function wholeOf(
  document: Document,
  { responses }: Pick<Operation, 'responses'>,
  refuse: (says: string) => Error,
): [string, string] | undefined {
  const bodies = responses.flatMap(({ success, body }) => (success ? [body] : []));
  const [first] = bodies;
  if (!first || !bodies.every((body) => body && body.type !== 'unknown')) return undefined;
  const about = conjuncts(document, first.schema);
  const type = about.some(({ properties }) => properties !== undefined) ? 'object' : typeIn(about);
  if (type === 'any')
    throw refuse('its success has a body of no one type, and x-operation.essential names no field of it');
  return ['', type];
}

/** The type of a required field, or `uuid`; undefined if it is not required. */
function requiredType(document: Document, schema: Schema, name: string): string | undefined {
  const parts = conjuncts(document, schema);
  if (!parts.some(({ required }) => (required as string[] | undefined)?.includes(name))) return undefined;
  const field = parts.map(({ properties }) => (properties as Record<string, Schema> | undefined)?.[name]);
  const about = field.flatMap((one) => (one === undefined ? [] : conjuncts(document, one)));
  const format = about.find((one) => one.format === 'uuid') && 'uuid';
  return format ?? typeIn(about);
}

function typeIn(about: ReturnType<typeof conjuncts>): string {
  const type = `${about.map((one) => one.type).find((one) => typeof one === 'string') ?? 'any'}`;
  return type === 'integer' ? 'number' : type;
}
