/** Brings schemas into their normal form. */

import type { Document } from '../generate/document.js';
import { resolve } from '../generate/resolve.js';
import type { Schema } from '../generate/schema.js';
import { simplified } from './excess.js';
import {
  anything,
  type Choice,
  has,
  isAnything,
  lower,
  merge,
  type Normal,
  nothing,
  reduced,
  type Type,
  upper,
} from './normal.js';

/** Whether a schema is of a request or of a response. */
export type Use = 'request' | 'response';

type Keywords = Readonly<Record<string, unknown>>;

/** Keywords that the contract does not use, but for `format`: each change of one counts as breaking. */
const literal = new Set([
  ...['format', 'pattern', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum', 'readOnly', 'writeOnly', 'nullable'],
  ...['minProperties', 'maxProperties', 'patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas'],
  ...['prefixItems', 'contains', 'minContains', 'maxContains', 'uniqueItems'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentEncoding', 'contentMediaType', 'contentSchema'],
]);
const ofOnePart = ['items', 'additionalProperties'];
/** Keywords that influence validity. All others are notes. */
const demanding = new Set([
  ...['type', 'enum', 'const', 'required', 'properties', '$ref', '$defs', '$comment'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...[...lower, ...upper, ...literal, ...ofOnePart],
]);
/** Values of keywords that mean the same as leaving the keyword out. */
const idle: Keywords = {
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  nullable: false,
  minLength: 0,
  minItems: 0,
};

/**
 * Makes the normal form of a schema at a JSON pointer of the document. `allOf` is merged, `const` becomes an `enum`,
 * `if` becomes a choice, and choices with one option disappear.
 */
export function normalise(document: Document, schema: Schema, at: string): Normal {
  const following: string[] = [];

  function of(given: Schema, at: string): Normal {
    if (given === true) return anything(at);
    if (given === false) return nothing(at);
    const all = list<Schema>(given.allOf).map((part, index) => of(part, `${at}/allOf/${index}`));
    const referred = typeof given.$ref === 'string' ? [follow(given.$ref, at)] : [];
    const parts = [own(given, at), ...referred, ...all];
    return simplified(parts.reduce(merge));
  }

  function follow(ref: string, at: string): Normal {
    // A recursive reference is compared by name: the comparison of that schema is already running.
    if (following.includes(ref)) return { ...anything(at), exact: new Map([['$ref', new Set([ref])]]) };
    following.push(ref);
    const found = of(resolve<Schema>(document, { $ref: ref }), ref);
    following.pop();
    return found;
  }

  function own(given: Keywords, at: string): Normal {
    const says = Object.entries(given).filter(([keyword, value]) => idle[keyword] !== value);
    const within = (keyword: string) => of(given[keyword] as Schema, `${at}/${keyword}`);
    return reduced({
      ...anything(at),
      places: new Map(Object.keys(given).map((keyword) => [keyword, `${at}/${keyword}`])),
      types: typesIn(given),
      values: valuesIn(given),
      bounds: boundsIn(given),
      exact: new Map(
        says.flatMap(([keyword, value]) => (literal.has(keyword) ? [[keyword, new Set([shownInFull(value)])]] : [])),
      ),
      required: new Set(list<string>(given.required)),
      properties: new Map(
        Object.entries((given.properties ?? {}) as Record<string, Schema>).map(([name, part]) => [
          name,
          of(part, `${at}/properties/${escaped(name)}`),
        ]),
      ),
      parts: new Map(
        ofOnePart
          .filter((keyword) => given[keyword] !== undefined)
          .map((keyword) => [keyword, within(keyword)] as const),
      ),
      ...choicesIn(given, at),
      notes: says.flatMap(([keyword, value]) =>
        demanding.has(keyword)
          ? []
          : // A place may have several gaps, and each is a note.
            (keyword === 'x-gap' ? [value].flat() : [value]).map((one) => ({
              keyword,
              value: one,
              at: `${at}/${keyword}`,
            })),
      ),
    });
  }

  function choicesIn(given: Keywords, at: string): Pick<Normal, 'choices' | 'not'> {
    const choices: Choice[] = [];
    const not: Normal[] = [];
    const without = (name: string, at: string): Normal => ({
      ...anything(at),
      properties: new Map([[name, nothing(at)]]),
    });
    if (given.not !== undefined) {
      const refused = of(given.not as Schema, `${at}/not`);
      const isOfFields =
        refused.required.size > 0 && isAnything({ ...refused, required: new Set(), types: anything(at).types });
      // An object that may not have all of these fields lacks at least one of them.
      if (isOfFields && given.type === 'object')
        choices.push({ at: `${at}/not`, options: [...refused.required].map((name) => without(name, `${at}/not`)) });
      else not.push(refused);
    }
    for (const keyword of ['anyOf', 'oneOf'].filter((keyword) => given[keyword] !== undefined)) {
      const options = list<Schema>(given[keyword]).map((part, index) => of(part, `${at}/${keyword}/${index}`));
      choices.push({ at: `${at}/${keyword}`, options });
      if (keyword === 'oneOf')
        not.push(...options.flatMap((one, index) => options.slice(index + 1).map((other) => merge(one, other))));
    }
    if (given.if !== undefined && (given.then !== undefined || given.else !== undefined)) {
      const branch = (keyword: string) => of((given[keyword] ?? true) as Schema, `${at}/${keyword}`);
      const condition = branch('if');
      const properties = new Map(
        [...condition.properties].map(([name, field]) => [name, { ...field, isRestated: true }]),
      );
      const otherwise = merge(branch('else'), { ...anything(`${at}/else`), not: [condition] });
      choices.push({ at: `${at}/if`, options: [merge(branch('then'), { ...condition, properties }), otherwise] });
    }
    return { choices, not };
  }

  return of(schema, at);
}

function boundsIn(given: Keywords): ReadonlyMap<string, number> {
  const bounds = Object.entries(given).filter(([keyword, value]) => isBound(keyword) && idle[keyword] !== value);
  return new Map(bounds.map(([keyword, value]) => [keyword, Number(value)]));
}

const shownInFull = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isBound = (keyword: string): boolean => lower.includes(keyword) || upper.includes(keyword);

function valuesIn(given: Keywords): readonly unknown[] | undefined {
  const values = given.enum as readonly unknown[] | undefined;
  if (!Object.hasOwn(given, 'const')) return values;
  return values === undefined || has(values, given.const) ? [given.const] : [];
}

const typesIn = ({ type }: Keywords): ReadonlySet<Type> =>
  type === undefined ? anything('').types : new Set([type].flat() as Type[]);

const list = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : []);

/** Escapes a step of a JSON pointer. */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
