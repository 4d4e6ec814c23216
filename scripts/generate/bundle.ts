import { bundle as bundled, createConfig } from '@redocly/openapi-core';
import type { Document } from './document.js';
import { type Schema, withBooleans, withoutBooleans } from './schema.js';

/** Bundles the document at `root` into one, with the library that openapi-typescript loads as well. */
export async function bundle(root: string): Promise<Document> {
  const { bundle, problems } = await bundled({ ref: root, config: await createConfig({}) });
  const mistakes = problems.map(({ message, location: [at] }) =>
    at ? `${at.source.absoluteRef}${at.pointer ?? ''}: ${message}` : message,
  );
  if (mistakes.length > 0) throw new Error(`${root} cannot be bundled:\n${mistakes.join('\n')}`);
  return withSchemas(bundle.parsed as Document, withBooleans);
}

/** The document for everybody's tools. */
export const published = (document: Document): Document => withSchemas(document, withoutBooleans);

function withSchemas(document: Document, change: (schema: Schema) => Schema): Document {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [name, change(schema)]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}
