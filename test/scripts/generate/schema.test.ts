import { expect, test } from 'vitest';
import { mapSchema, type Schema, withBooleans, withoutBooleans } from '../../../scripts/generate/schema.js';

const withoutDescription = (schema: Schema) =>
  mapSchema(schema, (part) => {
    const { description: _, ...rest } = part;
    return rest;
  });

test.each<[string, { given: Schema; want: Schema }]>([
  ['a keyword', { given: { type: 'object', description: 'd' }, want: { type: 'object' } }],
  [
    'every place of a subschema',
    {
      given: {
        properties: { a: { description: 'd' } },
        allOf: [{ description: 'd' }],
        items: { description: 'd' },
        if: { description: 'd' },
        additionalProperties: { description: 'd' },
      },
      want: { properties: { a: {} }, allOf: [{}], items: {}, if: {}, additionalProperties: {} },
    },
  ],
  [
    'but no property of that name',
    {
      given: { properties: { description: { type: 'string', description: 'd' } } },
      want: { properties: { description: { type: 'string' } } },
    },
  ],
  [
    'and no value that looks like a schema',
    {
      given: { enum: [{ description: 'd' }], default: { description: 'd' } },
      want: { enum: [{ description: 'd' }], default: { description: 'd' } },
    },
  ],
  ['and boolean schemas stay', { given: { properties: { a: false } }, want: { properties: { a: false } } }],
])('mapSchema changes %s', (_, { given, want }) => {
  expect(withoutDescription(given)).toEqual(want);
});

test('each subschema comes with its place', () => {
  const places: string[] = [];
  mapSchema({ properties: { a: { items: {} } }, oneOf: [{}] }, (part, at) => {
    places.push(at);
    return part;
  });
  expect(places).toEqual(['/properties/a/items', '/properties/a', '/oneOf/0', '']);
});

test('a field that is forbidden is an object for other tools, and nothing else changes', () => {
  const written: Schema = {
    properties: { a: false, b: { additionalProperties: false }, properties: { properties: { c: false } } },
    else: { properties: { d: false } },
  };
  const published = withoutBooleans(written);
  expect(published).toEqual({
    properties: {
      a: { not: {} },
      b: { additionalProperties: false },
      properties: { properties: { c: { not: {} } } },
    },
    else: { properties: { d: { not: {} } } },
  });
  expect(withBooleans(published)).toEqual(written);
});
