import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mapSchema, type Schema } from '../../scripts/generate/schema.js';
import { runRedocly } from '../../scripts/lint/redocly.js';
import { document } from './document.js';

test('the linter finds no problem in the published document either', async () => {
  // Both are about the sources: the register beside them, and `false`, for which the document has an empty `not`.
  const ofSources = ['contract/known-gaps', 'contract/described-properties'].flatMap((rule) => ['--skip-rule', rule]);
  await runRedocly('lint', fileURLToPath(new URL('../../generated/openapi.json', import.meta.url)), ...ofSources);
});

test('widely used parsers accept the document without changes', () => {
  const { servers, components } = document as unknown as {
    servers: readonly { variables: Record<string, object> }[];
    components: { links: Record<string, object>; schemas: Record<string, Schema> };
  };
  // The schema of OpenAPI 3.1 that swagger-parser carries misspells the description of a variable.
  for (const variable of servers.flatMap(({ variables }) => Object.values(variables)))
    expect(variable).not.toHaveProperty('description');
  // openapi-generator takes for the body of a link nothing but an expression, which names no field.
  for (const link of Object.values(components.links)) expect(link).not.toHaveProperty('requestBody');
  // Most generators put all components into one package: of two with one name, one is lost.
  const names = ['schemas', 'responses', 'parameters'].flatMap((kind) =>
    Object.keys((components as Record<string, object>)[kind] ?? {}).map((name) => name.toLowerCase()),
  );
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  // openapi-python-client cannot join a number with a constant.
  expect(JSON.stringify(document)).not.toMatch(/"const":\d/);
  // openapi-python-client and openapi-zod-client know no schema that is a boolean.
  for (const schema of Object.values(components.schemas))
    mapSchema(schema, (part) => {
      for (const field of Object.values(part.properties ?? {})) expect(typeof field).not.toBe('boolean');
      return part;
    });
});
