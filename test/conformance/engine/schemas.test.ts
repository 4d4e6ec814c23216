import { describe, expect, test } from 'vitest';
import { Schemas, sameIn } from '../../../conformance/engine/schemas.js';

const schemas = new Schemas({
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
      },
      get: { operationId: 'listThings' },
    },
  },
  components: {
    schemas: {
      Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, old: false } },
      Thing: {
        allOf: [{ $ref: '#/components/schemas/Named' }],
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          at: { type: 'string', format: 'date-time' },
          size: { type: 'integer', minimum: 3 },
          kind: { type: 'string', enum: ['small', 'large'] },
          parts: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Named' } },
          pairs: { type: 'object', additionalProperties: { type: ['null', 'string'], maxLength: 3 } },
        },
      },
    },
  },
});
const fields = schemas.requestFields('makeThing');
const [id, other] = ['00000000-0000-4000-8000-00000000000A', '00000000-0000-4000-8000-00000000000b'];

describe('two objects compared by their schema', () => {
  const same = sameIn(schemas.fieldsOf('Thing'));
  const thing = { id, name: 'one', at: '2026-01-01T00:00:00Z' };

  test.each([
    ['the id in the other case', { ...thing, id: id.toLowerCase() }, true],
    ['the time in another zone', { ...thing, at: '2026-01-01T01:00:00+01:00' }, true],
    ['a field that the schema does not name', { ...thing, colour: 'red' }, true],
    ['null in place of a missing field', { ...thing, size: null }, true],
    ['another id', { ...thing, id: other }, false],
    ['another name, which comes from a part of the schema', { ...thing, name: 'two' }, false],
    ['one more field', { ...thing, size: 3 }, false],
  ])('%s: %o', (_, one, wanted) => expect(same(thing, one)).toBe(wanted));
});

test('the fields of a request are listed at any depth, with whether they are required', () => {
  expect(fields.map(({ path, required }) => [path.join('.'), required])).toEqual([
    ['name', true],
    ['id', true],
    ['at', false],
    ['size', false],
    ['kind', false],
    ['parts', false],
    ['parts.0', false],
    ['parts.0.name', true],
    ['pairs', false],
  ]);
  expect(schemas.requestFields('listThings')).toEqual([]);
  expect(schemas.requestFields('no operation')).toEqual([]);
});

test('a sample has what the schema requires', () => {
  expect(schemas.sample({ $ref: '#/components/schemas/Thing' })).toEqual({
    name: 'text',
    id: '00000000-0000-4000-8000-000000000000',
  });
});

test('a value is set at its path, with the required fields beside it', () => {
  const at = (path: string) => fields.find((field) => field.path.join('.') === path);
  const beside = { name: 'text', id: '00000000-0000-4000-8000-000000000000' };
  expect(at('size')?.body(-1)).toEqual({ ...beside, size: -1 });
  expect(at('parts.0.name')?.body(5)).toEqual({ ...beside, parts: [{ name: 5 }] });
  expect(at('parts.0.name')?.body()).toEqual({ ...beside, parts: [{}] });
});

test('a body is cut if it is longer than allowed, and unchanged otherwise', () => {
  const parts = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];
  const cut = (body: unknown) => schemas.withinBounds('makeThing', body);
  expect(cut({ id, parts, pairs: { a: '🦊🦊🦊🦊', b: null, c: 5 }, more: ['any', parts] })).toEqual({
    id,
    parts: parts.slice(0, 2),
    pairs: { a: '🦊🦊🦊', b: null, c: 5 },
    more: ['any', parts],
  });
  // The name of something that every object has is a name like others.
  expect(cut({ pairs: { constructor: 'long' } })).toEqual({ pairs: { constructor: 'lon' } });
  for (const other of [null, 'text', [parts], { parts: 'text', pairs: ['more than three'] }])
    expect(cut(other)).toEqual(other);
  expect(schemas.withinBounds('listThings', { parts })).toEqual({ parts });
});
