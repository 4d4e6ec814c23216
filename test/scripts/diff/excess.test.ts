import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { excess } from '../../../scripts/diff/excess.js';
import { normalise } from '../../../scripts/diff/normalise.js';
import type { Document } from '../../../scripts/generate/document.js';
import type { Schema } from '../../../scripts/generate/schema.js';

const document = { paths: {}, components: { schemas: {}, securitySchemes: {} } } as unknown as Document;
const normal = (schema: Schema) => normalise(document, schema, '#');
const ajv = new Ajv2020({ strict: false, validateSchema: false });

const name = fc.constantFrom('a', 'b');
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, 1.5, '', 'x', 'xy', 'y');
const type = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'integer', 'string');
const small = fc.integer({ min: 0, max: 3 });

const { schema, value } = fc.letrec<{ schema: Schema; value: unknown }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const fields = fc.dictionary(name, tie('schema'), { maxKeys: 2 });
  const keywords = fc.record(
    {
      ...{
        type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
        enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
        const: scalar,
      },
      ...{
        minimum: small,
        maximum: small,
      },
      ...{ minLength: small, maxLength: small, pattern: fc.constantFrom('^x', 'y$', '.*') },
      ...{
        properties: fields,
        required: fc.uniqueArray(name),
        additionalProperties: tie('schema'),
      },
      ...{ items: tie('schema'), minItems: small, maxItems: small, uniqueItems: fc.boolean() },
      ...{ allOf: list, anyOf: list, oneOf: list, not: tie('schema') },
      ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, tie('schema')])),
    },
    { requiredKeys: [] },
  );
  return {
    schema: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      { weight: 1, arbitrary: fc.boolean() },
      { weight: 6, arbitrary: picked(keywords) },
    ),
    value: fc.oneof(
      { maxDepth: 2 },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
    ),
  };
});

/** At most four of the keywords: one that has them all allows nothing. */
function picked(keywords: fc.Arbitrary<object>): fc.Arbitrary<Schema> {
  return fc.tuple(keywords, fc.infiniteStream(fc.nat())).map(([all, order]) =>
    Object.fromEntries(
      Object.entries(all)
        .map((entry) => [order.next().value ?? 0, entry] as const)
        .sort(([one], [other]) => one - other)
        .slice(0, 4)
        .map(([, entry]) => entry),
    ),
  );
}

/** Nothing where ajv itself fails, as it does with some conditions beside patterns. */
function isValid(of: Schema, given: unknown): boolean | undefined {
  try {
    return ajv.validate(of as object, given) as boolean;
  } catch {
    return undefined;
  }
}
const values = fc.sample(value, { seed: 1, numRuns: 200 });

it('if a value is valid by one schema and not by another, there is a reason', () => {
  let found = 0;
  fc.assert(
    fc.property(schema, schema, (one, other) => {
      const witness = values.find((given) => isValid(one, given) === true && isValid(other, given) === false);
      if (witness === undefined) return;
      found += 1;
      const reasons = excess(normal(one), normal(other), 'narrower', 'all');
      expect({ witness, isExplained: reasons.length > 0 }).toEqual({ witness, isExplained: true });
    }),
    { seed: 1, numRuns: 60 },
  );
  expect(found).toBeGreaterThan(20);
});

it('a schema equals itself, whatever the order of its keywords and lists', () => {
  const reordered = (of: unknown): unknown => {
    if (Array.isArray(of)) return of.map(reordered);
    if (typeof of !== 'object' || of === null) return of;
    const entries = Object.entries(of).reverse();
    return Object.fromEntries(
      entries.map(([key, part]) => [
        key,
        ['allOf', 'anyOf', 'oneOf'].includes(key) ? (reordered(part) as unknown[]).reverse() : reordered(part),
      ]),
    );
  };
  fc.assert(
    fc.property(schema, (one) => {
      const other = reordered(one) as Schema;
      expect(excess(normal(one), normal(other), 'narrower', 'all')).toEqual([]);
      expect(excess(normal({ allOf: [one] }), normal({ anyOf: [one] }), 'wider', 'all')).toEqual([]);
    }),
    { seed: 1, numRuns: 100 },
  );
});
