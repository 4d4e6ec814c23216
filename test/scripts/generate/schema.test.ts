import { expect, test } from 'vitest';
import { mapSchema, type Schema, withBooleans, withoutBooleans } from '../../../scripts/generate/schema.js';

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
