import { describe, expect, test } from 'vitest';
import { Material } from '../../../conformance/engine/scenario/material/material.js';
import { invalidBodies, invalidValues, someOfEach } from '../../../conformance/suite/invalid-bodies.js';
import { idSettings, words } from '../../../generated/flags.js';

const picked = (seed: number) => someOfEach('updateProfile', new Material(seed, 'test'));

describe('one wrong body of each field', () => {
  test('is there for every field that can be wrong', () => {
    const all = [...new Set(invalidBodies('updateProfile').map(({ field }) => field))];
    expect([...new Set(picked(1).map(({ field }) => field))]).toEqual(all);
    expect(all).toContain('cookiesToAdd.0.secure');
  });

  test('is the same for the same seed, and another one for others', () => {
    expect(picked(1)).toEqual(picked(1));
    expect(picked(1)).not.toEqual(picked(2));
  });

  test('is beside those that tell most, whatever the seed', () => {
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
  ['the number that a range stops before', { exclusiveMinimum: 0, exclusiveMaximum: 9 }, [0, 9]],
  ['a multiple', { multipleOf: 5 }, [7.5, 6]],
  ['a list that may not be empty', { type: 'array', minItems: 1 }, [[]]],
  ['a list of so many', { type: 'array', maxItems: 1, items: { type: 'string' } }, [['tex0', 'tex1']]],
  ['a list without repetitions', { type: 'array', uniqueItems: true, items: { type: 'integer' } }, [[1, 1]]],
])('there are wrong values of %s', (_, schema, want) => {
  expect(invalidValues(schema)).toEqual(expect.arrayContaining(want));
});
