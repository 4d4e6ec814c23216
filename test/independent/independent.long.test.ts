import { describe, expect, it } from 'vitest';
import { seeded } from '../../conformance/engine/send/seeded.js';
import { missed } from './missed.js';
import { everyFault, outcomeOf } from './outcome.js';
import type { WayId } from './ways.js';

const seed = Number(process.env.SEED ?? 50);

describe('the independent service', () => {
  it.each<WayId>(['a', 'b', 'c', 'd'])('conforms in the way %s', async (way) => {
    const { must, should, inconclusive, unusable } = await outcomeOf({ way, seed });
    expect({ must, should, inconclusive, unusable }).toEqual({ must: [], should: [], inconclusive: [] });
  });

  const known = everyFault.filter(({ fault }) => !(fault.id in missed));
  const random = seeded(seed);
  const sample = Array.from({ length: 3 }, () => known.splice(Math.floor(random() * known.length), 1)).flat();

  it.each(sample.map(({ fault }) => fault))('is caught with the fault $id', async ({ id, level }) => {
    const { must, should } = await outcomeOf({ way: 'a', fault: id });
    expect(level === 'MUST' ? must : [...must, ...should]).not.toEqual([]);
  });

  it('has one id for each fault, and knows those that are missed', () => {
    const ids = everyFault.map(({ fault }) => fault.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(missed).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
