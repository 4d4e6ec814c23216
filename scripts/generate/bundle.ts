import { fileURLToPath } from 'node:url';
import { bundle as bundled, createConfig } from '@redocly/openapi-core';
import type { Document } from './document.js';
import { type Schema, withBooleans, withoutBooleans } from './schema.js';

const plugin = fileURLToPath(new URL('../lint/plugin.js', import.meta.url));

/** Bundles the document at `root` into one, with the library that openapi-typescript also uses. */
export async function bundle(root: string): Promise<Document> {
  const { bundle, problems } = await bundled({
    ref: root,
    config: await createConfig({ plugins: [plugin], preprocessors: { 'contract/second-paths': 'on' } }),
  });
  const mistakes = problems.map(({ message, location: [at] }) =>
    at ? `${at.source.absoluteRef}${at.pointer ?? ''}: ${message}` : message,
  );
  if (mistakes.length > 0) throw new Error(`${root} cannot be bundled:\n${mistakes.join('\n')}`);
  const document = bundle.parsed as Document;
  // The key of the path says the same.
  for (const item of Object.values(document.paths)) delete item['x-path'];
  return withSchemas(document, withBooleans);
}

/** The document to publish, in a form that all tools understand. */
export const published = (document: Document): Document => withSchemas(document, withoutBooleans);

/** Changes all schemas of the document: those of components, and those where they are used. */
export function withSchemas(document: Document, change: (schema: Schema) => Schema): Document {
  const within = (value: unknown, path: readonly string[]): unknown => {
    const [key = '', parent] = path;
    if (/^(?:examples?|x-.*)$/.test(key)) return value;
    if (key === 'schema' || (parent === 'schemas' && path.length === 3)) return change(value as Schema);
    if (Array.isArray(value)) return value.map((item, index) => within(item, [`${index}`, ...path]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner, [name, ...path])]));
  };
  return within(document, []) as Document;
}
