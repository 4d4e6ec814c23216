import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { Material } from '../../../conformance/engine/scenario/material.js';
import { Schemas } from '../../../conformance/engine/schemas.js';
import { invalidBodies, invalidValues, someOfEach, wrongBodies } from '../../../conformance/suite/invalid-bodies.js';
import { schemas } from '../../../conformance/suite/schemas.js';
import { idSettings, words } from '../../../generated/flags.js';
import { operationIds } from '../../../generated/operations.js';
import { requests } from '../../../generated/validators.js';

const picked = (seed: number) => someOfEach('updateProfile', new Material(seed, 'test'));

describe('one wrong body for each field', () => {
  test('exists for every field that can be wrong', () => {
    const all = [...new Set(invalidBodies('updateProfile').map(({ field }) => field))];
    expect([...new Set(picked(1).map(({ field }) => field))]).toEqual(all);
    expect(all).toContain('cookiesToAdd.0.secure');
  });

  test('is the same for the same seed, and another one for others', () => {
    expect(picked(1)).toEqual(picked(1));
    expect(picked(1)).not.toEqual(picked(2));
  });

  test('is sent beside the most telling ones, with every seed', () => {
    for (const seed of [1, 2, 3]) {
      const faults = picked(seed).map(({ fault }) => fault);
      expect(faults).toContain('cookiesToAdd.0.expiry "2026-02-30T00:00:00Z"');
      for (const { field, word } of words) expect(faults).toContain(`${field} ${JSON.stringify(word).toUpperCase()}`);
      for (const field of idSettings) expect(faults).toContain(`${field} ""`);
    }
    const starts = someOfEach('executeSync', new Material(1, 'test')).map(({ fault }) => fault);
    expect(starts).toEqual(
      expect.arrayContaining([
        'timeoutSeconds 0',
        'timeoutSeconds -1',
        'timeoutSeconds 26',
        'metadata {"key":null}',
        'onCapacityLimit "REJECT"',
      ]),
    );
  });

  test('is each wrong body, with one seed or another', () => {
    const of = (field: string, all: typeof invalidBodies) =>
      new Set(
        all('executeSync')
          .filter((one) => one.field === field)
          .map(({ fault }) => fault),
      );
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    const field = 'onCapacityLimit';
    const seen = of(field, () => seeds.flatMap((seed) => someOfEach('executeSync', new Material(seed, 'test'))));
    expect(seen).toEqual(of(field, invalidBodies));
    expect(seen).toContain('onCapacityLimit "REJECT"');
  });
});

test.each<[string, Parameters<typeof invalidValues>[0], unknown[]]>([
  ['a pattern', { pattern: '^[a-z]+$' }, ['', ' ', '!', 'ä', '-', '0', 'A']],
  ['an exclusive bound', { exclusiveMinimum: 0, exclusiveMaximum: 9 }, [0, 9]],
  ['a multiple', { multipleOf: 5 }, [7.5, 6]],
  ['a list that must not be empty', { type: 'array', minItems: 1 }, [[]]],
  ['a list with a number of items', { type: 'array', maxItems: 1, items: { type: 'string' } }, [['tex0', 'tex1']]],
  ['a list without repetitions', { type: 'array', uniqueItems: true, items: { type: 'integer' } }, [[1, 1]]],
])('there are wrong values for %s', (_, schema, want) => {
  expect(invalidValues(schema)).toEqual(expect.arrayContaining(want));
});

test('one more than allowed is sent with every seed, for numbers, texts, lists and maps', () => {
  const text = { type: 'string', maxLength: 5 };
  const bounded = new Schemas({
    paths: {
      '/things': {
        post: {
          operationId: 'makeThing',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: {
            size: { type: 'integer', maximum: 9 },
            name: text,
            parts: { type: 'array', maxItems: 1, items: text },
            pairs: { type: 'object', additionalProperties: text },
          },
        },
      },
    },
  });
  const sent = wrongBodies('makeThing', () => false, bounded).flatMap((one) => (one.isOftenAccepted ? one.body : []));
  expect(sent).toEqual(
    expect.arrayContaining([
      { size: 10 },
      { name: 'xxxxxx' },
      { parts: ['tex0', 'tex1'] },
      { parts: ['xxxxxx'] },
      { pairs: { key: 'xxxxxx' } },
    ]),
  );
});

describe('in a request with alternatives', () => {
  const text = { type: 'string' };
  const kind = (...values: string[]) => ({ type: 'string', enum: values });
  const parts = {
    Card: { type: 'object', required: ['by', 'number'], properties: { by: { const: 'card' }, number: text } },
    Transfer: {
      type: 'object',
      required: ['by'],
      properties: { by: kind('transfer'), days: { type: ['integer', 'null'] } },
    },
    Payment: {
      type: 'object',
      required: ['amount', 'means'],
      anyOf: [{ properties: { from: { not: {} } } }, { properties: { until: { not: {} } } }],
      properties: {
        amount: { type: 'number', minimum: 1 },
        means: { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Transfer' }] },
        note: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'integer' }] },
        from: text,
        until: text,
        parts: { type: 'array', items: { $ref: '#/components/schemas/Payment' } },
      },
    },
  };
  const schema = { $ref: '#/components/schemas/Payment' };
  const content = { 'application/json': { schema } };
  const document = {
    paths: { '/payments': { post: { operationId: 'pay', requestBody: { content } } } },
    components: { schemas: parts },
  };
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile({
    ...schema,
    components: document.components,
  });
  const all = new Schemas(document);
  const wrong = wrongBodies('pay', (body) => isValid(body), all);
  const of = (path: string) => wrong.filter(({ field }) => field.path.join('.') === path).map(({ body }) => body);
  const card = { by: 'card', number: 'text' };

  test('a value is in the alternative that has its field', () => {
    expect(of('means.number')).toContainEqual({ amount: 1, means: { by: 'card', number: 5 } });
    expect(of('means.days')).toContainEqual({ amount: 1, means: { by: 'transfer', days: '5' } });
    expect(of('means.number')).toContainEqual({ amount: 1, means: { by: 'card' } });
    for (const field of ['from', 'until']) expect(of(field)).toContainEqual({ amount: 1, means: card, [field]: 5 });
  });

  test('a value is wrong in each of them', () => {
    const notes = of('note').map(({ note }) => note);
    expect(notes).toEqual(expect.arrayContaining([true, {}, 1.5]));
    expect(notes).not.toContain(5);
    expect(of('means.days').map(({ means }) => means)).not.toContainEqual({ by: 'transfer', days: null });
    expect(of('means.by')).toContainEqual({ amount: 1, means: { ...card, by: 'CARD' } });
    expect(of('means.by')).toContainEqual({ amount: 1, means: { by: 'TRANSFER' } });
    for (const { body } of wrong) expect([body, isValid(body)]).toEqual([body, false]);
  });

  test('only the one value is wrong', () => {
    for (const field of all.requestFields('pay')) {
      const body = field.body(all.sample(field.schema));
      expect([body, isValid(body)]).toEqual([body, true]);
    }
  });

  test('a recursive schema is followed once, and no body is sent twice', () => {
    expect(of('parts.0').length).toBeGreaterThan(0);
    expect(of('parts.0.amount')).toEqual([]);
    const sent = wrong.map(({ field, body }) => JSON.stringify([field.path, body]));
    expect(sent.length).toBe(new Set(sent).size);
  });
});

test.each(operationIds)('except for its one wrong value, a body of %s could be accepted', (operation) => {
  const isValid: ((body: unknown) => boolean) | undefined = requests[operation as keyof typeof requests];
  for (const field of schemas.requestFields(operation)) {
    const body = field.body(schemas.sample(field.schema));
    expect([body, isValid?.(body)]).toEqual([body, true]);
  }
});
