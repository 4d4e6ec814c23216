import { expect, it } from 'vitest';
import { seeded } from '../../conformance/engine/send/seeded.js';
import { cases } from '../../proof/cases.js';
import { prove } from '../../proof/prove.js';

const sampleSize = 24;
const seed = Number(process.env.PROOF_SEED ?? Date.now() % 1_000_000);
const random = seeded(seed + 1);
const sample = cases
  .map((of) => ({ of, rank: random() }))
  .sort((a, b) => a.rank - b.rank)
  .slice(0, sampleSize)
  .map(({ of }) => of);

it(`the proof holds for ${sampleSize} of ${cases.length} cases, PROOF_SEED=${seed}: \`npm run prove\` runs all`, async () => {
  expect((await prove(undefined, sample)).problems).toEqual([]);
});

it('a rule that a limit leaves inconclusive is counted, and is no problem, because the report has a way out', async () => {
  const { inconclusive, problems } = await prove(undefined, [{ variation: 'busy-at-times' }]);
  expect(inconclusive.surroundings.map(({ id }) => id)).toEqual(['busy-at-times']);
  expect(inconclusive.ruleCount).toBeGreaterThan(0);
  expect(problems).toEqual([]);
});
