import { validate } from '@readme/openapi-parser';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { mapSchema, type Schema } from '../../scripts/generate/schema.js';
import { document } from './document.js';

// Spectral wants a contact, and the interface names none.
const ruleset = { extends: [oas], rules: { 'info-contact': 'off' } };

test('a second linter has nothing to say', async () => {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset as Parameters<typeof spectral.setRuleset>[0]);
  const problems = await spectral.run(structuredClone(document) as object as Record<string, unknown>);
  expect(problems.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`)).toEqual([]);
});

test('a second parser takes the document', async () => {
  expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true, warnings: [] });
});

test('both notice a broken document', async () => {
  const broken = structuredClone(document) as unknown as { paths: Record<string, { get?: { responses?: unknown } }> };
  delete broken.paths['/agents/v2/executions/{executionId}']?.get?.responses;
  Object.assign(broken, { info: {} });
  const spectral = new Spectral();
  spectral.setRuleset(ruleset as Parameters<typeof spectral.setRuleset>[0]);
  expect((await spectral.run(broken)).filter(({ severity }) => severity === 0)).not.toEqual([]);
  expect(await validate(broken as never)).toMatchObject({ valid: false });
});

test('nothing is in it that parsers in wide use refuse, right as it is', () => {
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
