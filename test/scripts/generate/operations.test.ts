import { expect, test } from 'vitest';
import type { Document } from '../../../scripts/generate/document.js';
import { exclusivePairs } from '../../../scripts/generate/operations.js';
import type { Schema } from '../../../scripts/generate/schema.js';

const either = (a: string, b: string): Schema => ({
  properties: { [a]: { type: 'string' }, [b]: { type: 'string' } },
  anyOf: [{ properties: { [b]: false } }, { properties: { [a]: false } }],
});
const document = { components: { schemas: { Selection: either('e', 'f') } } } as unknown as Document;

test.each<[string, { given: Schema; want: [string, string][] }]>([
  ['one pair', { given: either('a', 'b'), want: [['a', 'b']] }],
  [
    'two pairs under allOf',
    {
      given: { allOf: [either('a', 'b'), either('c', 'd')] },
      want: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  ],
  ['a pair by reference', { given: { allOf: [{ $ref: '#/components/schemas/Selection' }] }, want: [['e', 'f']] }],
  [
    'none where only one forbids the other',
    { given: { anyOf: [{ properties: { b: false } }, { properties: { a: { type: 'string' } } }] }, want: [] },
  ],
  ['none without anyOf', { given: { properties: { a: { type: 'string' } } }, want: [] }],
])('exclusive: %s', (_, { given, want }) => {
  expect(exclusivePairs(document, given)).toEqual(want);
});
