import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Document } from './document.js';
import { mapSchema, type Schema } from './schema.js';

/** What a type cannot say, and what openapi-typescript would turn into `unknown`. */
const untypable = ['if', 'then', 'else', 'not'];

export async function typesModule(document: Document): Promise<string> {
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, typable(schema)]),
  );
  const source = { ...document, components: { ...document.components, schemas } };
  return astToString(
    await openapiTS(source as unknown as OpenAPI3, {
      defaultNonNullable: false,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      silent: true,
    }),
  );
}

const typable = (schema: Schema): Schema =>
  mapSchema(schema, (part) => {
    const kept = Object.fromEntries(Object.entries(part).filter(([keyword]) => !untypable.includes(keyword)));
    const allOf = (kept.allOf as Schema[] | undefined)?.filter((member) => Object.keys(member).length > 0);
    if (!allOf) return kept;
    const { allOf: _, ...rest } = kept;
    return allOf.length > 0 ? { ...rest, allOf } : rest;
  });
