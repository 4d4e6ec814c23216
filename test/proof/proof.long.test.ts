import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../conformance/engine/send/seeded.js';
import { bundle } from '../../proof/bundle.js';
import { cases } from '../../proof/cases.js';
import { markdown } from '../../proof/markdown.js';
import { type Proof, prove } from '../../proof/prove.js';
import { isSealed, seal } from '../../proof/seal.js';

const page = await readFile(new URL('../../docs/proof.md', import.meta.url), 'utf8');
const { digest } = await bundle();

/** Every case where the page is of other sources; else some that tell whether it is still true. */
const sampleSize = 24;
const seed = Number(process.env.PROOF_SEED ?? Date.now() % 1_000_000);
const random = seeded(seed + 1);
const sample = cases
  .map((of) => ({ of, rank: random() }))
  .sort((a, b) => a.rank - b.rank)
  .slice(0, sampleSize)
  .map(({ of }) => of);

describe.runIf(isSealed(page, digest))('the proof, of the same sources as docs/proof.md', () => {
  it(`holds where it is repeated: ${sampleSize} of ${cases.length} cases, PROOF_SEED=${seed}`, async () => {
    console.log(
      `The proof: nothing changed since docs/proof.md was written. Repeating ${sampleSize} of ${cases.length} cases, PROOF_SEED=${seed}; npm run prove repeats them all.`,
    );
    expect((await prove(undefined, sample)).problems).toEqual([]);
  });
});

describe.skipIf(isSealed(page, digest))('the proof', () => {
  let proof: Proof;
  beforeAll(async () => {
    proof = await prove();
  }, 600_000);

  it('shows that every rule can fail, and that none fails where a service conforms', () => {
    expect(proof.problems).toEqual([]);
  });

  it('is the one that docs/proof.md shows: else run `npm run prove -- --write`', () => {
    expect(page).toBe(seal(markdown(proof), digest));
  });
});
