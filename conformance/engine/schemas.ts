/** What the schemas of a contract say of values: their fields, which values are valid, and which are equal. */

import { isFields, isJsonType } from '../../common/values.js';
import { memoize } from './memoize.js';
import { sameInstant } from './rule/times.js';
import { byKey, equal, has, sameId } from './rule/values.js';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | false>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: object;
  readonly $ref?: string;
}

/** A schema without references, parts and alternatives, and of one type. */
export interface Variant extends Omit<Schema, 'properties' | 'const' | '$ref' | 'allOf' | 'anyOf' | 'oneOf'> {
  readonly type?: string;
  readonly properties: Readonly<Record<string, Schema>>;
  /** Properties that it may not have, although some part of it has them. */
  readonly excluded: readonly string[];
}

export interface Field {
  /** The keys from the body down; 0 stands for the first item of a list. */
  readonly path: readonly (string | 0)[];
  readonly schema: Schema;
  /** Whether its object requires it. */
  readonly required: boolean;
  /** The body with this value of the field, or without the field, and no more beside it than must be. */
  readonly body: (value?: unknown) => unknown;
}

export type Same = (a: unknown, b: unknown) => boolean;
/** How fields of a format are compared. Without an entry here, values have to be equal. */
const byFormat: Readonly<Record<string, Same>> = { uuid: sameId, 'date-time': sameInstant };

/** Whether two objects agree in these fields. What a service adds is no part of the contract. */
export const sameIn =
  (fields: Readonly<Record<string, Same>>): Same =>
  (a, b) =>
    a === b ||
    (isFields(a) && isFields(b)
      ? Object.entries(fields).every(([field, same]) => (!has(a, field) && !has(b, field)) || same(a[field], b[field]))
      : equal(a, b));

/** The schemas of an OpenAPI document. */
export class Schemas<Name extends string> {
  readonly #document: { readonly paths: object; readonly components: { readonly schemas: object } };

  constructor(document: { readonly paths: object; readonly components: { readonly schemas: Record<Name, object> } }) {
    this.#document = document;
  }

  /** How to compare each field of a schema. */
  fieldsOf(name: Name): Readonly<Record<string, Same>> {
    const all = this.variants({ $ref: name }).flatMap((variant) => Object.entries(propertiesOf(variant)));
    const formats = new Map<string, Set<string | undefined>>();
    for (const [field, of] of all)
      for (const { type, format } of this.variants(of))
        if (type !== 'null') formats.set(field, new Set([...(formats.get(field) ?? []), format]));
    return Object.fromEntries(
      [...formats].map(([field, [format, ...others]]) => [
        field,
        others.length === 0 && format !== undefined ? (byFormat[format] ?? equal) : equal,
      ]),
    );
  }

  /** The names of all fields that may be any object or any value. */
  openFields(): string[] {
    const isOpen = (schema: Schema) =>
      this.variants(schema).every(
        ({ type = 'object', properties, enum: values }) =>
          type === 'object' && Object.keys(properties).length === 0 && values === undefined,
      );
    return Object.values(this.#document.components.schemas)
      .flatMap(({ properties = {} }: Schema) => Object.entries(properties))
      .flatMap(([name, schema]) => (!isNever(schema) && isOpen(schema) ? name : []));
  }

  /** Every field of the operation's request body, however deep, in each alternative that has it. */
  requestFields(operation: string): Field[] {
    return this.#below(this.#requestSchema(operation), [], (value) => value, new Set());
  }

  /** The operation's request body, without what texts and lists in it have beyond their longest. */
  withinBounds(operation: string, body: unknown): unknown {
    return this.#cut(this.#requestSchema(operation), body);
  }

  #cut(schema: Schema, value: unknown): unknown {
    const type = Array.isArray(value) ? 'array' : typeof value;
    const of = this.variants(schema).find((one) => one.type === type);
    if (of === undefined) return value;
    const { maxLength, maxItems, items = {}, additionalProperties } = of;
    if (typeof value === 'string') return maxLength === undefined ? value : [...value].slice(0, maxLength).join('');
    if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => this.#cut(items, item));
    if (!isFields(value)) return value;
    const others = typeof additionalProperties === 'object' ? additionalProperties : {};
    const schemaOf = (name: string) => (Object.hasOwn(of.properties, name) ? of.properties[name] : undefined) ?? others;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#cut(schemaOf(name), one)]));
  }

  /** The schema of the operation's JSON body. */
  #requestSchema(operation: string): Schema {
    for (const item of Object.values(this.#document.paths as Record<string, object>))
      for (const one of Object.values(item as Record<string, unknown>)) {
        if (!isFields(one) || one.operationId !== operation) continue;
        const { content = {} } = (one.requestBody ?? {}) as { content?: Readonly<Record<string, { schema: Schema }>> };
        return content[Object.keys(content).find(isJsonType) ?? '']?.schema ?? {};
      }
    return {};
  }

  /**
   * The alternatives of a schema. Where it has them in several places, each is with the first of the others: with all
   * of them, there would be too many.
   */
  readonly variants = memoize((schema: Schema): readonly Variant[] => {
    const { $ref, allOf = [], anyOf = [], oneOf = [], type, const: only, properties = {}, ...more } = schema;
    const own: Partial<Variant> = {
      ...more,
      ...(only !== undefined && { enum: [only] }),
      properties: Object.fromEntries(
        Object.entries(properties).flatMap(([name, of]) => (isNever(of) ? [] : [[name, of]])),
      ),
      excluded: Object.entries(properties).flatMap(([name, of]) => (isNever(of) ? name : [])),
    };
    const types = [type ?? []].flat().map((one) => ({ type: one }));
    const lists: (readonly Partial<Variant>[])[] = [
      ...($ref === undefined ? [] : [this.variants(this.#named($ref))]),
      ...allOf.map((part) => this.variants(part)),
      [own],
      ...[types, ...[anyOf, oneOf].map((list) => list.flatMap((one) => this.variants(one)))],
    ].filter(({ length }) => length > 0);
    const firsts = lists.flatMap((list) => list.slice(0, 1));
    return [
      together(firsts),
      ...lists.flatMap((list, at) =>
        list.slice(1).map((one) => together(firsts.map((first, place) => (place === at ? one : first)))),
      ),
    ];
  });

  /** A valid value of the schema, with no more than it must have. */
  sample(schema: Schema): unknown {
    const [variant = together([])] = this.variants(schema);
    const { type, format, enum: values, items, minimum, minLength = 0, maxLength, minItems = 0 } = variant;
    const [example = values?.[0]] = variant.examples ?? [];
    if (example !== undefined) return example;
    if (type === 'array') return Array.from({ length: minItems }, () => this.sample(items ?? {}));
    if (type === 'integer' || type === 'number') return minimum ?? 1;
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    if (type === 'string')
      return format === 'uuid'
        ? '00000000-0000-4000-8000-000000000000'
        : format === 'date-time'
          ? '2026-01-01T00:00:00Z'
          : 'text'.padEnd(minLength, '.').slice(0, maxLength);
    return this.#required(variant);
  }

  /** An object with a value of each property that it must have. */
  #required(variant: Variant): Record<string, unknown> {
    const { required = [] } = variant;
    const properties = Object.entries(propertiesOf(variant)).filter(([name]) => required.includes(name));
    return Object.fromEntries(properties.map(([name, of]) => [name, this.sample(of)]));
  }

  #named(ref: string): Schema {
    const { schemas } = this.#document.components as { readonly schemas: Readonly<Record<string, Schema>> };
    return schemas[ref.split('/').at(-1) ?? ''] ?? {};
  }

  /** The fields below a schema, and its items. What holds itself is not followed again. */
  #below(schema: Schema, path: Field['path'], around: Field['body'], above: ReadonlySet<string>): Field[] {
    const id = JSON.stringify(schema);
    if (above.has(id)) return [];
    const variants = this.variants(schema);
    const field = (key: string | 0, of: Schema, required: boolean, body: Field['body']): Field[] => {
      const here = [...path, key];
      return [{ path: here, schema: of, required, body }, ...this.#below(of, here, body, new Set([...above, id]))];
    };
    const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties)));
    const found = [
      ...[...names].flatMap((name) =>
        variants.flatMap((variant) => {
          const { [name]: of } = propertiesOf(variant);
          if (of === undefined) return [];
          const { [name]: _, ...others } = this.#required(variant);
          return field(name, of, variant.required?.includes(name) ?? false, (value) =>
            around(value === undefined ? others : { ...others, [name]: value }),
          );
        }),
      ),
      ...variants.flatMap(({ items }) => (items ? field(0, items, false, (value) => around([value])) : [])),
    ];
    return [...byKey(found, (one) => JSON.stringify([one.path, one.schema, one.required])).values()].flatMap(
      ([first]) => first ?? [],
    );
  }
}

/** The properties that an object may have. */
const propertiesOf = ({ properties, excluded }: Variant): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !excluded.includes(name)));

const isNever = (schema: Schema | false): schema is false =>
  schema === false || (schema.not !== undefined && Object.keys(schema.not).length === 0);

/** What all of these say at once. */
function together(all: readonly Partial<Variant>[]): Variant {
  const properties: Record<string, Schema> = {};
  for (const [name, of] of all.flatMap((one) => Object.entries(one.properties ?? {}))) {
    const earlier = properties[name];
    properties[name] = earlier ? { allOf: [earlier, of] } : of;
  }
  const union = (names: 'required' | 'excluded') => [...new Set(all.flatMap((one) => one[names] ?? []))];
  return Object.assign({}, ...all, { properties, required: union('required'), excluded: union('excluded') });
}
