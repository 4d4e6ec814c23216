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

const exact = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType'];
const ofOnePart = [
  ...['items', 'contains', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];
/** Keywords that influence validity. All others are notes. */
const demanding = new Set([
  ...[
    'type',
    'nullable',
    'enum',
    'const',
    'required',
    'properties',
    'readOnly',
    'writeOnly',
    '$ref',
    '$defs',
    '$comment',
  ],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
  ...['patternProperties', 'prefixItems', ...lower, ...upper, ...exact, ...ofOnePart],
]);
/** Values of keywords that mean the same as leaving the keyword out. */
const idle: Keywords = {
  deprecated: false,
  uniqueItems: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  nullable: false,
};
const ofEveryText = ['', '.*', '^.*$', '^.*', '.*$', '^'];

/**
 * Makes the normal form of a schema at a JSON pointer of the document. `allOf` is merged, `const` becomes an `enum`,
 * `if` and conditions on fields become choices, and choices with one option disappear. Requests lose read-only fields,
 * responses lose write-only ones.
 */
export function normalise(document: Document, schema: Schema, at: string, use: Use): Normal {
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
    const named = (keyword: string) =>
      Object.entries((given[keyword] ?? {}) as Record<string, Schema>).map(
        ([name, part]) => [name, of(part, `${at}/${keyword}/${escaped(name)}`), part] as const,
      );
    const isHidden = (part: Schema) =>
      resolve<Keywords>(document, part)[use === 'request' ? 'readOnly' : 'writeOnly'] === true;
    const fields = named('properties');
    const hidden = fields.flatMap(([name, , part]) => (isHidden(part) ? [name] : []));

    return reduced({
      ...anything(at),
      places: new Map(Object.keys(given).map((keyword) => [keyword, `${at}/${keyword}`])),
      types: typesIn(given),
      values: valuesIn(given),
      bounds: boundsIn(given),
      exact: new Map(
        says.flatMap(([keyword, value]) =>
          exact.includes(keyword) && !(keyword === 'pattern' && ofEveryText.includes(String(value)))
            ? [[keyword, new Set([String(value)])]]
            : [],
        ),
      ),
      required: new Set(list<string>(given.required).filter((name) => !hidden.includes(name))),
      properties: new Map(fields.flatMap(([name, part]) => (hidden.includes(name) ? [] : [[name, part]]))),
      parts: new Map([
        ...ofOnePart
          .filter((keyword) => given[keyword] !== undefined)
          .map((keyword) => [keyword, within(keyword)] as const),
        ...named('patternProperties').map(([name, part]) => [`patternProperties/${name}`, part] as const),
        ...list<Schema>(given.prefixItems).map(
          (part, index) => [`prefixItems/${index}`, of(part, `${at}/prefixItems/${index}`)] as const,
        ),
      ]),
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
    for (const [keyword, place] of ['dependentRequired', 'dependentSchemas'].map(
      (name) => [name, `${at}/${name}`] as const,
    ))
      for (const [name, demand] of Object.entries((given[keyword] ?? {}) as Record<string, Schema | string[]>)) {
        const beside = Array.isArray(demand)
          ? { ...anything(place), required: new Set(demand) }
          : of(demand, `${place}/${escaped(name)}`);
        choices.push({ at: place, options: [without(name, place), beside] });
      }
    return { choices, not };
  }

  return of(schema, at);
}

/** The bounds of a schema. `contains` alone means `minContains: 1`. */
function boundsIn(given: Keywords): ReadonlyMap<string, number> {
  const all = { ...(given.contains !== undefined && { minContains: 1 }), ...given };
  const bounds = Object.entries(all).filter(([keyword, value]) => isBound(keyword) && idle[keyword] !== value);
  return new Map(bounds.map(([keyword, value]) => [keyword, Number(value)]));
}

const isBound = (keyword: string): boolean => lower.includes(keyword) || upper.includes(keyword);

function valuesIn(given: Keywords): readonly unknown[] | undefined {
  const values = given.enum as readonly unknown[] | undefined;
  if (!Object.hasOwn(given, 'const')) return values;
  return values === undefined || has(values, given.const) ? [given.const] : [];
}

function typesIn({ type, nullable }: Keywords): ReadonlySet<Type> {
  if (type === undefined) return anything('').types;
  return new Set([...([type].flat() as Type[]), ...(nullable === true ? (['null'] as const) : [])]);
}

const list = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : []);

/** Escapes a step of a JSON pointer. */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
