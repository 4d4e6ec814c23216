import { expect } from 'vitest';
import { expectRefused, type World } from '../world.js';

export const poolRules = {
  'pool-is-deleted': async ({ call, target }: World) => {
    expect([200, 204]).toContain((await call('deletePool', target.pool)).status);
  },
  'deleted-pool-is-gone': async ({ call, target }: World) => {
    await call('deletePool', target.pool);
    expectRefused(await call('deletePool', target.pool), 404);
  },
};
