import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { markdown } from '../../proof/markdown.js';
import { type Proof, prove } from '../../proof/prove.js';
import { matrixText, summary } from '../../proof/terminal.js';

describe('the proof', () => {
  let proof: Proof;
  beforeAll(async () => {
    proof = await prove();
  }, 600_000);

  it('shows that every rule can fail, and that none fails where a service conforms', () => {
    expect(proof.problems).toEqual([]);
  });

  it('is the one that docs/proof.md shows: else run `npm run prove -- --write`', async () => {
    expect(await readFile(new URL('../../docs/proof.md', import.meta.url), 'utf8')).toBe(markdown(proof));
  });

  it('fits a terminal', () => {
    const text = matrixText(proof);
    expect(text).toMatch(/^missing-key-is-401 +9 /m);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(summary(proof)).toMatch(/every rule can fail and can hold\.$/);
    expect(summary({ ...proof, problems: ['One.'] })).toMatch(/ 1 problem\.$/);
  });
});
