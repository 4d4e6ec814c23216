/** What the schemas of a contract say of values: their fields, which values are valid, and which are equal. */
import { isFields, isJsonType } from './outcome/read.js';
import { equal, has, sameId, sameInstant } from './rule/values.js';

export interface Schema {
  readonly type?: string;
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
  readonly $ref?: string;
}

export interface Field {
  /** The keys from the body down; 0 stands for the first item of a list. */
  readonly path: readonly (string | 0)[];
  readonly schema: Schema;
  /** Whether its object requires it. */
  readonly required: boolean;
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
    const fields = [...this.#propertiesOf({ $ref: name })];
    return Object.fromEntries(fields.map(([field, { format }]) => [field, byFormat[format ?? ''] ?? equal]));
  }

  /** Every field of the operation's request body, however deep. */
  requestFields(operation: string): Field[] {
    for (const item of Object.values(this.#document.paths as Record<string, object>))
      for (const one of Object.values(item as Record<string, unknown>)) {
        if (!isFields(one) || one.operationId !== operation) continue;
        const { content = {} } = (one.requestBody ?? {}) as { content?: Readonly<Record<string, { schema: Schema }>> };
        const json = Object.keys(content).find(isJsonType);
        return json === undefined ? [] : this.#below(content[json]?.schema ?? {}, []);
      }
    return [];
  }

  /** A valid value of the schema. */
  sample(schema: Schema): unknown {
    const { type, format, enum: values, items, minimum, examples: [example] = [] } = this.#resolved(schema);
    if (example !== undefined) return example;
    if (values) return values[0];
    if (type === 'array') return items ? [this.sample(items)] : [];
    if (type === 'integer') return minimum ?? 1;
    if (type === 'boolean') return true;
    if (type === 'string')
      return format === 'uuid'
        ? '00000000-0000-4000-8000-000000000000'
        : format === 'date-time'
          ? '2026-01-01T00:00:00Z'
          : 'text';
    return Object.fromEntries([...this.#propertiesOf(schema)].map(([name, of]) => [name, this.sample(of)]));
  }

  /** An object with `value` at the path, and valid values for the other fields beside it. */
  bodyWith(fields: readonly Field[], path: Field['path'], value: unknown): Record<string, unknown> {
    const parent = path.slice(0, -1);
    const around = fields.find(
      (field) => field.path.length === parent.length && field.path.every((key, i) => key === parent[i]),
    );
    const last = path.at(-1) ?? '';
    const base = around ? this.sample(around.schema) : {};
    const filled: unknown = last === 0 ? [value] : { ...(base as object), [last]: value };
    return (parent.length === 0 ? filled : this.bodyWith(fields, parent, filled)) as Record<string, unknown>;
  }

  #resolved(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...beside } = schema;
    const { schemas } = this.#document.components as { readonly schemas: Readonly<Record<string, Schema>> };
    return { ...this.#resolved(schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...beside };
  }

  /** The properties of an object, including those of its `allOf` parts. */
  #propertiesOf(schema: Schema): Map<string, Schema> {
    const { properties = {}, allOf = [] } = this.#resolved(schema);
    const found = new Map<string, Schema>();
    for (const part of allOf) for (const [name, of] of this.#propertiesOf(part)) found.set(name, of);
    for (const [name, of] of Object.entries(properties)) if (of !== false) found.set(name, this.#resolved(of));
    return found;
  }

  #below(schema: Schema, path: Field['path']): Field[] {
    const { required = [] } = this.#resolved(schema);
    return [...this.#propertiesOf(schema)].flatMap(([name, of]) => {
      const here = [...path, name];
      const field: Field = { path: here, schema: of, required: required.includes(name) };
      if (of.items) {
        const item = this.#resolved(of.items);
        return [field, { path: [...here, 0], schema: item, required: false }, ...this.#below(item, [...here, 0])];
      }
      return [field, ...this.#below(of, here)];
    });
  }
}
