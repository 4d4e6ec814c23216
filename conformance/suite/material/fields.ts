/** The fields of a request body, from the contract's own schemas. */
import document from '../../../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../../generated/operations.js';
import { isFields } from '../../engine/outcome/read.js';

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | false>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

export interface Field {
  /** Keys from the body down; 0 is the first item of a list. */
  readonly path: readonly (string | 0)[];
  readonly schema: Schema;
  /** Whether the object that it is in requires it. */
  readonly required: boolean;
}

const schemas = document.components.schemas as unknown as Readonly<Record<string, Schema>>;

const resolve = (schema: Schema): Schema => {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...resolve(schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...beside };
};

/** The properties of an object, its parts' included. */
export function propertiesOf(schema: Schema): Map<string, Schema> {
  const { properties = {}, allOf = [] } = resolve(schema);
  const found = new Map<string, Schema>();
  for (const part of allOf) for (const [name, of] of propertiesOf(part)) found.set(name, of);
  for (const [name, of] of Object.entries(properties)) if (of !== false) found.set(name, resolve(of));
  return found;
}

/** Every field of the operation's request body, however deep. */
export function fieldsOf(operation: OperationId): Field[] {
  for (const item of Object.values(document.paths))
    for (const one of Object.values(item)) {
      if (!isFields(one) || one.operationId !== operation) continue;
      const body = one.requestBody as { content: { 'application/json': { schema: Schema } } } | undefined;
      return body ? below(body.content['application/json'].schema, []) : [];
    }
  return [];
}

function below(schema: Schema, path: Field['path']): Field[] {
  const { required = [] } = resolve(schema);
  return [...propertiesOf(schema)].flatMap(([name, of]) => {
    const here = [...path, name];
    const field: Field = { path: here, schema: of, required: required.includes(name) };
    if (of.items) {
      const item = resolve(of.items);
      return [field, { path: [...here, 0], schema: item, required: false }, ...below(item, [...here, 0])];
    }
    return [field, ...below(of, here)];
  });
}

/** A value that the schema admits. */
export function sample(schema: Schema): unknown {
  const { type, format, enum: values, items, minimum } = resolve(schema);
  if (values) return values[0];
  if (type === 'array') return items ? [sample(items)] : [];
  if (type === 'integer') return minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'string')
    return format === 'uuid'
      ? '00000000-0000-4000-8000-000000000000'
      : format === 'date-time'
        ? '2026-01-01T00:00:00Z'
        : 'text';
  return Object.fromEntries([...propertiesOf(schema)].map(([name, of]) => [name, sample(of)]));
}

/** An object with `value` at the path, and what stands beside it there as the schemas admit. */
export function bodyWith(fields: readonly Field[], path: Field['path'], value: unknown): Record<string, unknown> {
  const parent = path.slice(0, -1);
  const around = fields.find(
    (field) => field.path.length === parent.length && field.path.every((key, i) => key === parent[i]),
  );
  const last = path.at(-1) ?? '';
  const base = around ? sample(around.schema) : {};
  const filled: unknown = last === 0 ? [value] : { ...(base as object), [last]: value };
  return (parent.length === 0 ? filled : bodyWith(fields, parent, filled)) as Record<string, unknown>;
}
