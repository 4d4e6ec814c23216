import { readFileSync } from 'node:fs';
import { type Document, readOperations } from '../../scripts/generate/document.js';
import { resolve } from '../../scripts/generate/resolve.js';
import type { Schema } from '../../scripts/generate/schema.js';

export const document = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as Document;

interface Content {
  content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
}

/** Every named example of the document: where it stands, the schema there, and its value. `status` is undefined for a request. */
export const examples = readOperations(document).flatMap(({ id, method }) => {
  const all = Object.values(document.paths).map((item) => item[method.toLowerCase() as Lowercase<typeof method>]);
  const operation = all.find((one) => one?.operationId === id);
  const bodies: [string | undefined, unknown][] = [
    [undefined, operation?.requestBody ?? {}],
    ...Object.entries(operation?.responses ?? {}),
  ];
  return bodies.flatMap(([status, body]) => {
    const media = resolve<Content>(document, body).content?.['application/json'];
    return Object.entries(media?.examples ?? {}).map(([name, example]) => ({
      ...{ operation: id, status, name, schema: media?.schema ?? false },
      value: resolve<{ value: unknown }>(document, example).value,
    }));
  });
});
