import { describe, expect, it } from 'vitest';
import { faults, findFault } from '../../deviations/index.js';

// That each breaks what it says, and nothing else, is proven by the suite itself: test/proof/.
describe('the catalogue of faults', () => {
  it('gives each fault an id of its own', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  });

  it('says which fault was meant', () => {
    expect(() => findFault('pool-stay')).toThrow('the fault pool-stay is unknown; did you mean pools-stay?');
    expect(() => findFault('xyz')).toThrow(`the fault xyz is unknown; docs/proof.md lists all ${faults.length}.`);
  });
});
