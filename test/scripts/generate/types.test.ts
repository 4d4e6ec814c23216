import { expect, test } from 'vitest';
import type { Document } from '../../../scripts/generate/document.js';
import { typesModule } from '../../../scripts/generate/types.js';

const text = { type: 'string' };
const fields = { type: 'object', properties: { old: text, young: text, other: text } };
const exclusive = { anyOf: [{ properties: { old: false } }, { properties: { young: false } }] };

const typesOf = (Request: object) =>
  typesModule({
    openapi: '3.1.0',
    info: { title: 'A', version: 'v1' },
    paths: {},
    components: { schemas: { Request }, securitySchemes: {} },
  } as unknown as Document);

test('fields that exclude each other are in one type, wherever the schema excludes them', async () => {
  const types = await typesOf({ ...fields, allOf: [exclusive] });
  expect(types).toMatch(/old\?: never/);
  expect(await typesOf({ ...fields, ...exclusive })).toBe(types);
});
