/** Generates generated/samples.ts. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { isFields } from '../../common/values.js';
import type { Document, Operation } from './document.js';
import { formats } from './formats.js';
import { componentName, conjuncts, resolve } from './resolve.js';
import type { Schema } from './schema.js';
import { source } from './text.js';

type Fields = Record<string, unknown>;

/**
 * Generates a full and a minimal value of each schema, from the contract's named examples. Optional fields without an
 * example get a value that their schema allows.
 */
export function samplesModule(document: Document, operations: Operation[]): string {
  const isValid = validators(document);
  const found = new Map<string, unknown[]>();
  gatherAll(document, operations, (name, value) => {
    if (isValid(name, value)) found.set(name, [...(found.get(name) ?? []), value]);
  });
  const entries = Object.keys(document.components.schemas).map((name) => {
    const values = found.get(name) ?? [];
    const valid = (value: unknown) => isValid(name, value);
    const full = completed(document, { $ref: `#/components/schemas/${name}` }, values, valid);
    if (!valid(full))
      throw new Error(
        `The schema ${name} has no valid example, and none can be made up. What is wrong with its examples: npm run lint:openapi.`,
      );
    return `  ${name}: ${source({ full, minimal: reduced(full, valid) })},`;
  });
  return `import type { components } from './types.js';

type Schemas = components['schemas'];

/** Two values of a schema: one with all fields that can be combined, and one with required fields only. */
export interface Sample<T> {
  readonly full: T;
  readonly minimal: T;
}

/** A sample of each schema, from the contract's named examples. */
export const samples: { readonly [Name in keyof Schemas]: Sample<Schemas[Name]> } = {
${entries.join('\n')}
};
`;
}

function validators(document: Document): (name: string, value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema({ components: document.components }, 'contract');
  return (name, value) => ajv.getSchema(`contract#/components/schemas/${name}`)?.(value) === true;
}

/** Calls back for each value in an example whose schema has a name. */
function gatherAll(document: Document, operations: Operation[], tell: (name: string, value: unknown) => void): void {
  const gather = (schema: Schema, value: unknown): void => {
    const name = componentName(schema);
    if (name !== undefined) tell(name, value);
    const part = resolve<Fields>(document, schema);
    for (const list of [part.allOf, part.anyOf, part.oneOf] as (Schema[] | undefined)[])
      for (const one of list ?? []) gather(one, value);
    if (Array.isArray(value)) for (const item of value) gather((part.items as Schema | undefined) ?? {}, item);
    if (!isFields(value)) return;
    const properties = (part.properties as Record<string, Schema> | undefined) ?? {};
    for (const [field, inner] of Object.entries(value))
      gather(properties[field] ?? (part.additionalProperties as Schema | undefined) ?? {}, inner);
  };
  for (const { method, path } of operations) {
    const operation = document.paths[path]?.[method.toLowerCase() as Lowercase<typeof method>];
    for (const body of [operation?.requestBody ?? {}, ...Object.values(operation?.responses ?? {})]) {
      const { content = {} } = resolve<NonNullable<NonNullable<typeof operation>['requestBody']>>(document, body);
      for (const { schema, examples = {} } of Object.values(content))
        for (const example of Object.values(examples))
          if (schema !== undefined) gather(schema, resolve<{ value?: unknown }>(document, example).value);
    }
  }
}

/** The fullest value, with further fields from the others or made up, as long as it stays valid. */
function completed(
  document: Document,
  schema: Schema,
  values: readonly unknown[],
  isValid: (value: unknown) => boolean,
): unknown {
  const names = fieldsOf(document, schema);
  // An example of an extending schema also has fields of that, which must be left out.
  const own = (value: unknown) =>
    isFields(value) && names.size > 0
      ? Object.fromEntries(Object.entries(value).filter(([field]) => names.has(field)))
      : value;
  const size = (value: unknown) => JSON.stringify(value).length;
  const [best = own(made(document, schema)), ...others] = values.map(own).sort((a, b) => size(b) - size(a));
  if (!isFields(best)) return best;
  let full = best;
  for (const other of [...others, own(made(document, schema))])
    for (const [field, value] of isFields(other) ? Object.entries(other) : []) {
      if (field in full) continue;
      const more = { ...full, [field]: value };
      if (isValid(more)) full = more;
    }
  return full;
}

/** The names of the fields of a schema that are not deprecated. */
function fieldsOf(document: Document, schema: Schema): Set<string> {
  const parts = conjuncts(document, schema);
  const choices = parts.flatMap(({ anyOf = [], oneOf = [] }) => [...(anyOf as Schema[]), ...(oneOf as Schema[])]);
  const properties = parts.flatMap((part) => Object.entries((part.properties as Record<string, Schema>) ?? {}));
  const current = properties.filter(([, of]) => of !== false && (of as Fields).deprecated !== true);
  return new Set([...current.map(([name]) => name), ...choices.flatMap((one) => [...fieldsOf(document, one)])]);
}

const texts: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-03-02T09:00:00.000Z',
};

/** Makes up a value that a schema allows, with all fields. */
export function made(document: Document, schema: Schema): unknown {
  const parts = conjuncts(document, schema);
  const of = (keyword: string) => parts.map((part) => part[keyword]).find((value) => value !== undefined);
  const [choice] = (of('anyOf') ?? of('oneOf') ?? []) as Schema[];
  const values = (of('enum') ?? of('examples')) as unknown[] | undefined;
  if (of('const') !== undefined) return of('const');
  if (values) return values[0];
  const properties = parts.flatMap((part) => Object.entries((part.properties as Record<string, Schema>) ?? {}));
  if (properties.length > 0)
    return Object.fromEntries(
      properties.flatMap(([name, field]) => (field === false ? [] : [[name, made(document, field)]])),
    );
  if (choice !== undefined) return made(document, choice);
  const [type] = [of('type') ?? 'string'].flat();
  if (type === 'string') return texts[`${of('format')}`] ?? 'text'.padEnd(Number(of('minLength') ?? 0), '.');
  if (type === 'integer' || type === 'number') return of('minimum') ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array') return of('items') === undefined ? [] : [made(document, of('items') as Schema)];
  return type === 'object' ? {} : null;
}

/** Removes optional fields and list items from a value, as long as it stays valid. */
function reduced(full: unknown, isValid: (value: unknown) => boolean): unknown {
  if (Array.isArray(full)) return isValid([]) ? [] : full;
  if (!isFields(full)) return full;
  let least = full;
  for (const field of Object.keys(full)) {
    const { [field]: value, ...rest } = least;
    if (isValid(rest)) least = rest;
    else {
      const around = (inner: unknown) => ({ ...least, [field]: inner });
      least = around(reduced(value, (inner) => isValid(around(inner))));
    }
  }
  return least;
}
