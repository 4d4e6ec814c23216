import { conjuncts, type Document, type Operation } from './document.js';
import type { Schema } from './schema.js';

export const effects = ['reads', 'starts', 'changes', 'copies', 'ends'] as const;
const known = ['resource', 'effect', 'repeatable', 'waits', 'key', 'essential'] as const;
/** By HTTP, what is asked twice does no more than what is asked once. */
const repeatable: readonly string[] = ['GET', 'PUT', 'DELETE'];

/** What `x-operation` says of an operation. CONTRIBUTING.md, "Traits of an operation", explains it. */
export interface Traits {
  /** The kind of thing that it is about. */
  resource: string;
  effect: (typeof effects)[number];
  /** Whether sending it twice does no more than sending it once. */
  repeatable: boolean;
  /** Whether it is answered only after what it is about has happened, or not happened in time. */
  waits: boolean;
  /** The field of a success that is the id of the thing: of what was started or made, where it does that. */
  key?: string;
  /** The field without which a success is none, and what it holds; without a name, the whole of it. */
  essential?: [name: string, type: string];
  /** The resource whose id stands last in its path. */
  subject?: string;
}

/** Throws an error that names the operation, what is wrong with its traits, and what can stand there. */
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
      throw refuse(`x-operation has no ${name}; it has ${known.join(', ')}`);
  const stated = given as Partial<Record<(typeof known)[number], unknown>>;
  mustBeOneOf('resource', stated.resource, resources);
  mustBeOneOf('effect', stated.effect, effects);
  const effect = stated.effect as Traits['effect'];
  const { waits = false } = stated;
  const twice = stated.repeatable ?? (effect === 'reads' || repeatable.includes(method));
  for (const [name, value] of Object.entries({ repeatable: twice, waits }))
    if (typeof value !== 'boolean') throw refuse(`x-operation.${name} must be true or false`);
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
  const subject = parameters
    .filter((one) => one.in === 'path')
    .map(({ name }) => name.replace(/Id$/, ''))
    .findLast((name) => resources.includes(name));
  return {
    resource: stated.resource as string,
    effect,
    repeatable: twice as boolean,
    waits: waits as boolean,
    ...(stated.key !== undefined && { key: stated.key as string }),
    ...(essential && { essential: essential as [string, string] }),
    ...(subject !== undefined && { subject }),
  };
}

/** Of successes that all have a body, and no field by which to know it: that it is there, and of its type. */
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

/** What a required field holds: `uuid`, or its type; undefined where it is not required. */
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
