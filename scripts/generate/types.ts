import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Document } from './document.js';

export async function typesModule(document: Document): Promise<string> {
  return astToString(
    await openapiTS(structuredClone(document) as unknown as OpenAPI3, {
      // Else a request field with a default would become required.
      defaultNonNullable: false,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      silent: true,
    }),
  );
}
