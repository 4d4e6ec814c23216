/** Follows references within a document, and reads schemas with all that they take from others. */

import type { Document } from './document.js';
import type { Schema } from './schema.js';

/** The name of the component schema that a schema refers to, if it is only a reference. */
export function componentName(schema: Schema): string | undefined {
  const ref = typeof schema === 'object' ? schema.$ref : undefined;
  return typeof ref === 'string' && ref.startsWith('#/components/schemas/') ? ref.split('/')[3] : undefined;
}

/** Resolves local references (`#/components/…`), also several in a row. */
export function resolve<T>(document: object, value: unknown): T {
  const ref = (value as { $ref?: unknown } | null)?.$ref;
  if (typeof ref !== 'string') return value as T;
  const target = ref
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], document);
  if (target === undefined) throw new Error(`${ref} points nowhere in the bundled document.`);
  return resolve<T>(document, target);
}

/** A schema and all parts of its `allOf`, with references resolved. */
export function conjuncts(document: Document, schema: Schema): { [keyword: string]: unknown }[] {
  const resolved = resolve<Schema>(document, schema);
  if (typeof resolved === 'boolean') return [];
  return [resolved, ...((resolved.allOf as Schema[] | undefined) ?? []).flatMap((part) => conjuncts(document, part))];
}

/** A schema, all parts of its `allOf`, and all alternatives of its `anyOf` and `oneOf`, with references resolved. */
export const alternatives = (document: Document, schema: Schema): { [keyword: string]: unknown }[] =>
  conjuncts(document, schema).flatMap((part) => [
    part,
    ...[part.anyOf, part.oneOf].flatMap((list) =>
      ((list as Schema[] | undefined) ?? []).flatMap((one) => alternatives(document, one)),
    ),
  ]);

/** The properties that a schema may have, in one alternative or another, each with what is said of it. */
export function propertiesIn(document: Document, schema: Schema): Map<string, Schema[]> {
  const found = new Map<string, Schema[]>();
  for (const { properties = {} } of alternatives(document, schema))
    for (const [name, of] of Object.entries(properties as Record<string, Schema>))
      if (of !== false) found.set(name, [...(found.get(name) ?? []), of]);
  return found;
}

/** The component schemas that a schema refers to, extends or chooses from. */
export function componentsOf(document: Document, schema: Schema): string[] {
  const { allOf, anyOf, oneOf } = resolve<Record<string, Schema[] | undefined>>(document, schema);
  const parts = [allOf, anyOf, oneOf].flatMap((list) => list ?? []);
  return [componentName(schema) ?? [], parts.flatMap((part) => componentsOf(document, part))].flat();
}
