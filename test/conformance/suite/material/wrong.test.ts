import { describe, expect, test } from 'vitest';
import { Material } from '../../../../conformance/engine/scenario/material/material.js';
import { oneOfEach, wrongBodies } from '../../../../conformance/suite/material/wrong.js';

const picked = (seed: number) => oneOfEach('updateProfile', new Material(seed, 'test'));

describe('one wrong body of each field', () => {
  test('is there for every field that can be wrong', () => {
    const fields = [...new Set(wrongBodies('updateProfile').map(({ field }) => field))];
    expect(picked(1).map(({ field }) => field)).toEqual(fields);
    expect(fields).toContain('cookiesToAdd.0.secure');
  });

  test('is the same for the same seed, and another one for others', () => {
    expect(picked(1)).toEqual(picked(1));
    expect(picked(1)).not.toEqual(picked(2));
  });

  test('is each wrong body, with one seed or another', () => {
    const of = (field: string, all: typeof wrongBodies) =>
      new Set(
        all('updateProfile')
          .filter((one) => one.field === field)
          .map(({ fault }) => fault),
      );
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    const field = 'proxyType';
    const seen = of(field, () => seeds.flatMap((seed) => picked(seed)));
    expect(seen).toEqual(of(field, wrongBodies));
    expect(seen).toContain('proxyType "BASIC"');
  });
});
