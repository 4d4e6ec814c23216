import { bundle as bundled, createConfig } from '@redocly/openapi-core';
import type { Document } from './document.js';

/** Bundles the document at `root` into one, with the library that openapi-typescript loads as well. */
export async function bundle(root: string): Promise<Document> {
  const { bundle, problems } = await bundled({ ref: root, config: await createConfig({}) });
  const mistakes = problems.map(({ message, location: [at] }) =>
    at ? `${at.source.absoluteRef}${at.pointer ?? ''}: ${message}` : message,
  );
  if (mistakes.length > 0) throw new Error(`${root} cannot be bundled:\n${mistakes.join('\n')}`);
  return bundle.parsed as Document;
}
