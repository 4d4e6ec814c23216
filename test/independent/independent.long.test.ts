import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../conformance/engine/send/seeded.js';
import { missed } from './missed.js';
import { everyFault, isReported, outcomeOf, wordFor } from './outcome.js';
import type { WayId } from './ways.js';

/** The commit, so that each is tested with other values and other faults. Where there is no history: 1. */
function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 8), 16);
  } catch {
    return 1;
  }
}

const seed = Number(process.env.SEED ?? seedOfCommit());

describe(`the independent service (SEED=${seed})`, () => {
  it.each<WayId>(['a', 'b', 'c', 'd'])('conforms in the variant %s', async (way) => {
    const { must, should, inconclusive, unusable } = await outcomeOf({ way, seed });
    expect({ must, should, inconclusive, unusable }).toEqual({ must: [], should: [], inconclusive: [] });
  });

  const left = [...everyFault];
  const random = seeded(seed);
  const sample = Array.from({ length: 3 }, () => left.splice(Math.floor(random() * left.length), 1)).flat();

  it.each(sample.map(({ fault }) => fault))('can be checked to the end with the fault $id', async ({ id }) => {
    const outcome = await outcomeOf({ way: 'a', fault: id, seed });
    expect(outcome.requests).toBeGreaterThan(0);
    // How many are reported is measured (`npm run independent`): which of them a commit draws is chance.
    if (!isReported({ word: wordFor(outcome) }))
      console.log(`${id} is not reported: ${missed[id] ?? 'no reason is known.'}`);
  });

  it('has one id for each fault, and its list of missed faults has only such ids', () => {
    const ids = everyFault.map(({ fault }) => fault.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(missed).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
