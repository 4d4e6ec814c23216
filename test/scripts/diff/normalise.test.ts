import { expect, it } from 'vitest';
import { excess } from '../../../scripts/diff/excess.js';
import { normalise } from '../../../scripts/diff/normalise.js';
import type { Document } from '../../../scripts/generate/document.js';
import type { Schema } from '../../../scripts/generate/schema.js';

const text = { type: 'string' };
const object = { type: 'object', properties: { a: text, b: text } };
const list = { type: 'array', items: { $ref: '#/components/schemas/Tree' } };
const tree = { type: 'object', properties: { children: list } };
const document = {
  paths: {},
  components: { schemas: { Tree: tree, Object: object }, securitySchemes: {} },
} as unknown as Document;
const normal = (schema: Schema) => normalise(document, schema, '#');
const when = (condition: object, then?: object) => ({
  if: condition,
  ...(then && Object.fromEntries([['then', then]])),
});

it.each<[name: string, Schema, Schema]>([
  [
    'null in a list of types, and as an option',
    { type: ['string', 'null'], format: 'uuid' },
    { anyOf: [{ ...text, format: 'uuid' }, { type: 'null' }] },
  ],
  ['types as options', { type: ['string', 'integer'] }, { oneOf: [text, { type: 'integer' }] }],
  ['values as options', { enum: ['a', 'b', 'c'] }, { anyOf: [{ enum: ['a', 'b'] }, { const: 'c' }] }],
  ['both booleans', { type: 'boolean' }, { enum: [true, false] }],
  ['null', { const: null }, { type: 'null' }],
  ['a constant of an enumeration', { const: 'a', enum: ['b'] }, false],
  [
    'a bound in all options',
    {
      anyOf: [
        { ...text, minLength: 5, maxLength: 6 },
        { ...text, minLength: 7, maxLength: 9 },
      ],
      maxLength: 9,
    },
    {
      anyOf: [
        { ...text, minLength: 5, maxLength: 6 },
        { ...text, minLength: 7, maxLength: 9 },
      ],
    },
  ],
  [
    'an option within an option',
    { anyOf: [text, { anyOf: [object, { type: 'null' }] }] },
    { anyOf: [text, object, { type: 'null' }] },
  ],
  ['options within allOf', { allOf: [{ anyOf: [text, object] }] }, { anyOf: [text, object] }],
  ['options that exclude each other anyway', { anyOf: [text, object] }, { oneOf: [object, text] }],
  [
    'common parts of options, within them',
    { ...object, anyOf: [{ required: ['b'] }, { properties: { b: false } }] },
    {
      anyOf: [
        { ...object, required: ['b'] },
        { ...object, properties: { a: text, b: false } },
      ],
    },
  ],
  ['a condition that is always true', { ...when({}, object) }, object],
  ['a condition without consequence', { ...object, ...when({ required: ['b'] }) }, object],
  [
    'an object that must not have a field',
    { ...object, not: { required: ['b'] } },
    { ...object, properties: { a: text, b: false } },
  ],
  [
    'an object that must not have both fields',
    { ...object, not: { required: ['a', 'b'] } },
    { ...object, anyOf: [{ properties: { a: false } }, { properties: { b: false } }] },
  ],
  [
    'no further fields',
    { ...object, additionalProperties: false },
    { allOf: [{ ...object, additionalProperties: false }] },
  ],
  ['a schema without a type', { ...text, maximum: 9, items: text }, text],
  ['a schema within itself', { $ref: '#/components/schemas/Tree' }, { allOf: [{ $ref: '#/components/schemas/Tree' }] }],
  ['a reference with a description beside it', { $ref: '#/components/schemas/Object', description: 'Here.' }, object],
])('%s: the same schema in other words is no change', (_name, one, other) => {
  expect(excess(normal(one), normal(other), 'narrower')).toEqual([]);
  expect(excess(normal(other), normal(one), 'wider')).toEqual([]);
});

it.each<[name: string, Schema, Schema, says: RegExp]>([
  [
    'options that may both hold, where one must',
    { anyOf: [{ minLength: 1 }, { maxLength: 3 }] },
    { oneOf: [{ minLength: 1 }, { maxLength: 3 }] },
    /excluded now/,
  ],
  [
    'a field within a schema within itself',
    tree,
    { type: 'object', properties: { children: { ...list, maxItems: 3 } } },
    /^maxItems: nothing → 3\.$/,
  ],
  [
    'a keyword that the contract does not use',
    { type: 'integer' },
    { type: 'integer', exclusiveMinimum: 0 },
    /^exclusiveMinimum: nothing → 0\.$/,
  ],
  [
    'an option that lost a value',
    { anyOf: [{ enum: ['a', 'b'] }, object] },
    { anyOf: [{ enum: ['a'] }, object] },
    /^`b` is no longer a value\.$/,
  ],
])('%s: a narrower schema is a change', (_name, one, other, says) => {
  expect(excess(normal(one), normal(other), 'narrower').map((reason) => reason.says)).toEqual([
    expect.stringMatching(says),
  ]);
});

it.each<[name: string, before: Schema, after: Schema, says: readonly string[]]>([
  ['an object', object, { anyOf: [object, { type: 'null' }] }, ['type: object → null or object.']],
  [
    'a named object',
    { $ref: '#/components/schemas/Object' },
    { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Object' }] },
    ['type: object → null or object.'],
  ],
  [
    'one of several words',
    { ...text, enum: ['a', 'b'] },
    { anyOf: [{ ...text, enum: ['a', 'b'] }, { type: 'null' }] },
    ['type: string → null or string.'],
  ],
  [
    'one of several words, without a type,',
    { type: ['string', 'null'], enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    ['type: string → null or string.'],
  ],
  [
    'an object with options of its own',
    { ...object, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { anyOf: [{ ...object, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { type: 'null' }] },
    ['type: object → null or object.'],
  ],
])('for %s that may be null now, only that is reported', (_, before, after, says) => {
  const told = (one: Schema, other: Schema, side: 'narrower' | 'wider') =>
    excess(normal(one), normal(other), side).map((reason) => reason.says);
  expect(told(after, before, 'wider')).toEqual(says);
  expect(told(before, after, 'narrower')).toEqual([]);
});
