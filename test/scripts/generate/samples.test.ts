import { expect, test } from 'vitest';
import { samples } from '../../../generated/samples.js';
import { schemas } from '../../../generated/validators.js';
import type { Document } from '../../../scripts/generate/document.js';
import { samplesModule } from '../../../scripts/generate/samples.js';

const names = Object.keys(samples) as (keyof typeof samples)[];
const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

test.each(names)('the samples of %s are valid', (name) => {
  const validate = schemas[name];
  for (const sample of Object.values(samples[name])) expect([validate(sample), validate.errors]).toEqual([true, null]);
});

test.each(names)('the minimal sample of %s has required fields only', (name) => {
  const { minimal } = samples[name];
  if (!isFields(minimal)) return;
  for (const field of Object.keys(minimal))
    expect(schemas[name]({ ...minimal, [field]: undefined }), field).toBe(false);
});

const document = (schema: object, value?: unknown) =>
  ({
    components: { schemas: { Thing: schema } },
    paths: {
      '/things': {
        get: {
          responses: {
            '200': {
              content: {
                'application/json': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
                  examples: value === undefined ? {} : { some: { value } },
                },
              },
            },
          },
        },
      },
    },
  }) as unknown as Document;
const get = [{ method: 'GET', path: '/things' }] as unknown as Parameters<typeof samplesModule>[1];
const ofThing = (schema: object, value?: unknown) =>
  JSON.parse(/ {2}Thing: (.*),/.exec(samplesModule(document(schema, value), get))?.[1] ?? '');

const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    kind: { enum: ['near', 'far'] },
    size: { type: 'integer', minimum: 3 },
    old: { type: 'string', deprecated: true },
  },
};
const id = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';

test.each<[string, { given: unknown; want: unknown }]>([
  ['has the values of the examples', { given: [{ id, kind: 'far', size: 7 }], want: { id, kind: 'far', size: 7 } }],
  [
    'has the fields of several examples',
    {
      given: [
        { id, kind: 'far' },
        { id, size: 8 },
      ],
      want: { id, kind: 'far', size: 8 },
    },
  ],
  ['has a made-up value where no example has one', { given: [{ id }], want: { id, kind: 'near', size: 3 } }],
  ['has no field that the schema does not name', { given: [{ id, other: 1 }], want: { id, kind: 'near', size: 3 } }],
  [
    'is made up where there is no example',
    { given: undefined, want: { id: expect.any(String), kind: 'near', size: 3 } },
  ],
])('a full sample %s', (_, { given, want }) => {
  expect(ofThing(thing, given)).toEqual({ full: want, minimal: { id: expect.any(String) } });
});

test('fields that exclude each other are not in one sample', () => {
  const either = { ...thing, anyOf: [{ properties: { kind: false } }, { properties: { size: false } }] };
  expect(
    ofThing(either, [
      { id, kind: 'far' },
      { id, size: 8 },
    ]).full,
  ).toEqual({ id, kind: 'far' });
});

test('a schema without a valid value is named', () => {
  expect(() => ofThing({ type: 'string', pattern: '^a$' })).toThrow('The schema Thing has no valid example');
});
