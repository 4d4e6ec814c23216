import { expectRefused, type World } from '../world.js';

export const poolRules = {
  'pool-is-deleted': async (world: World) => {
    await world.deletePool(world.target.pool);
  },
  'deleted-pool-is-gone': async (world: World) => {
    await world.deletePool(world.target.pool);
    expectRefused(await world.call('deletePool', world.target.pool), 404);
  },
};
