import { expect, test } from 'vitest';
import type { Document, Operation } from '../../../scripts/generate/document.js';
import { refuseUntried } from '../../../scripts/generate/request-keywords.js';
import type { Schema } from '../../../scripts/generate/schema.js';

const document = { components: { schemas: {} } } as unknown as Document;
const of = (name: Schema, around: object = {}) => {
  const schema = { type: 'object', properties: { name }, ...around };
  return [{ id: 'start', request: { body: { schema, type: 'unknown' } } }] as unknown as Operation[];
};

test.each<[string, Schema, object, string]>([
  [
    'a keyword without known wrong values',
    { type: 'string', contentEncoding: 'base64' },
    {},
    'start.name: the suite cannot generate invalid values for contentEncoding',
  ],
  [
    'one within a list',
    { type: 'array', items: { not: {} } },
    {},
    'start.name.*: the suite cannot generate invalid values for not',
  ],
  ['a condition', {}, { if: {} }, 'start: the suite cannot generate invalid values for if'],
  ['fields that must be named', {}, { additionalProperties: false }, 'start: fields that no schema names are allowed'],
  [
    'a pattern without an example',
    { type: 'string', pattern: '^a' },
    {},
    'start.name: a value for its pattern has to be shown',
  ],
])('a request keyword that the suite cannot test is refused: %s', (_, name, around, why) => {
  expect(() => refuseUntried(document, of(name, around))).toThrow(why);
});

test('a request that is not an object is refused', () => {
  expect(() => refuseUntried(document, of(true, { type: 'array' }))).toThrow('start: a request is an object here');
});

test('a request keyword that the suite tests is accepted', () => {
  const name = { type: 'string', pattern: '^a', examples: ['a'], description: 'Its name.', 'x-gap': 'none' };
  expect(() => refuseUntried(document, of(name, { required: ['name'] }))).not.toThrow();
});
