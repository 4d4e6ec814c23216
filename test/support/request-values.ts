/** The kinds of values that requests, queries and headers may hold, read from the contract. */

import { type OperationId, operations } from '../../generated/operations.js';
import { readOperations } from '../../scripts/generate/document.js';
import { conjuncts } from '../../scripts/generate/resolve.js';
import type { Schema } from '../../scripts/generate/schema.js';
import { document } from '../contract/document.js';

/** A kind of value in requests of an operation: `metadata.*: string`, `onCapacityLimit = "queue"`. */
export interface Kind {
  readonly says: string;
  readonly isIn: (body: unknown) => boolean;
}

export const kindsOf = (id: OperationId): Kind[] => {
  const { requestSchema } = operations[id];
  const all = requestSchema === null ? [] : [...kinds({ $ref: `#/components/schemas/${requestSchema}` }, [])];
  return [...new Map(all.map((kind) => [kind.says, kind])).values()];
};

/** An allowed word of a query parameter. */
export interface Word {
  readonly name: string;
  readonly word: string;
}

export const wordsOf = (id: OperationId): Word[] =>
  (operation(id)?.parameters ?? []).flatMap(({ in: place, name, schema }) =>
    place === 'path' ? [] : wordsIn(schema).map((word) => ({ name, word })),
  );

const operation = (id: OperationId) => readOperations(document).find((one) => one.id === id);

/** The words of a schema, including those of its parts and items. */
const wordsIn = (schema: Schema): string[] =>
  conjuncts(document, schema).flatMap((part) => {
    const { enum: values = [], anyOf = [], oneOf = [], items } = part as Keywords;
    return [...values.map(String), ...[...anyOf, ...oneOf, ...(items ? [items] : [])].flatMap(wordsIn)];
  });

interface Keywords {
  readonly type?: string | string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

/** `path` leads to the place of the schema; `*` stands for each item or value. */
function* kinds(schema: Schema, path: readonly string[]): Generator<Kind> {
  const kind = (what: string, holds: (value: unknown) => boolean): Kind => ({
    says: `${path.join('.')}${what}`,
    isIn: (body) => at(body, path).some(holds),
  });
  for (const part of conjuncts(document, schema)) {
    const { type, enum: values, anyOf, oneOf, properties, items, additionalProperties } = part as Keywords;
    for (const one of [type ?? []].flat().map((name) => (name === 'integer' ? 'number' : name)))
      if (path.length > 0) yield kind(`: ${one}`, (value) => typeOf(value) === one);
    for (const one of values ?? []) yield kind(` = ${JSON.stringify(one)}`, (value) => value === one);
    for (const branch of [...(anyOf ?? []), ...(oneOf ?? [])]) yield* kinds(branch, path);
    for (const [name, field] of Object.entries(properties ?? {})) yield* kinds(field, [...path, name]);
    for (const each of [items, additionalProperties]) if (typeof each === 'object') yield* kinds(each, [...path, '*']);
  }
}

const at = (body: unknown, path: readonly string[]): unknown[] =>
  path.reduce<unknown[]>(
    (values, name) =>
      values.flatMap((value) => {
        if (typeof value !== 'object' || value === null) return [];
        return name === '*' ? Object.values(value) : Object.hasOwn(value, name) ? [(value as Body)[name]] : [];
      }),
    [body],
  );

type Body = Readonly<Record<string, unknown>>;

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
