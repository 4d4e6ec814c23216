import { describe, expect, it } from 'vitest';
import { faults, findFault } from '../../reference/index.js';
import { ruleTests } from './rules/index.js';
import { createWorld } from './world.js';

describe('the catalogue of faults', () => {
  it('gives each fault an id of its own', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
  });

  it.each(faults.map(({ id, breaks, says }) => [id, breaks, says] as const))('%s breaks %s: %s', async (id, breaks) => {
    for (const rule of breaks)
      await expect(ruleTests[rule](createWorld({ faults: [findFault(id)] })), rule).rejects.toThrow();
  });

  it('says which fault was meant', () => {
    expect(() => findFault('pool-stay')).toThrow('the fault pool-stay is unknown; did you mean pools-stay?');
    expect(() => findFault('xyz')).toThrow(/^the fault xyz is unknown; there is .*pools-stay/);
  });
});
