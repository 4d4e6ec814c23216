import { describe, expect, it } from 'vitest';
import { keys, Material, numbers, shapes, texts } from '../../../../../conformance/engine/scenario/material.js';

const parts = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(parts)] : [value];

describe('material', () => {
  it('is the same for the same seed and step, and another for another seed or step', () => {
    const inputs = (seed: number, step: string) => new Material(seed, 'start', step).inputs();
    expect(inputs(7, 'rich')).toEqual(inputs(7, 'rich'));
    expect(inputs(7, 'rich')).not.toEqual(inputs(8, 'rich'));
    expect(inputs(7, 'rich')).not.toEqual(inputs(7, 'head'));
  });

  it.each([0, 1, 2 ** 31 - 1, 999_999_999])('has every value in inputs, with seed %d', (seed) => {
    const all = parts(new Material(seed, 'start').inputs());
    for (const value of [...Object.values(texts).flat(), ...numbers, ...shapes]) expect(all).toContainEqual(value);
  });

  it('is valid JSON and Unicode, so that a difference in an answer is a change', () => {
    const inputs = [false, true].map((isRisky) => new Material(3, 'x').inputs(isRisky));
    const metadata = [false, true].map((isRisky) => new Material(3, 'x').metadata(isRisky));
    for (const value of [...inputs, ...metadata]) {
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      expect(JSON.stringify(value)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
    }
  });

  it('keeps metadata small', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const all = Object.entries(new Material(seed, 'x').metadata());
      // Beside the marker.
      expect(all.length).toBeLessThan(16);
      for (const [key, value] of all) expect([key.length < 40, value.length < 500]).toEqual([true, true]);
    }
  });

  it('splits all texts into shares, each text into one share', () => {
    const shares = new Material(5, 'x').shares(3);
    expect(shares).toHaveLength(3);
    for (const text of Object.values(texts).flat())
      expect(shares.filter((share) => share.includes(text))).not.toEqual([]);
    expect(shares.join(' ').length).toBe(Object.values(texts).flat().join(' ').length);
  });

  it.each([
    ['text', 255, 255],
    ['text', 1000, 1000],
    ['astral', 1000, 1997],
  ] as const)('%s counts characters: %d of them are %d units of UTF-16', (kind, characters, units) => {
    for (const seed of keys.keys()) {
      const text = new Material(seed, 'x')[kind](characters);
      expect([[...text].length, text.length]).toEqual([characters, units]);
      expect([...text.normalize('NFD')].length).toBeGreaterThanOrEqual(characters);
      expect(new TextEncoder().encode(text).length).toBeGreaterThan(characters * 1.9);
    }
  });
});
