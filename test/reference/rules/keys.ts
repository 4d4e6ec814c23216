import { expect } from 'vitest';
import { keys } from '../../../reference/index.js';
import { everyOperation, expectRefused, type World } from '../world.js';

export const keyRules = {
  'missing-key-is-401': async (world: World) => {
    for (const [, answer] of await everyOperation(world, null)) expectRefused(answer, 401);
  },
  'invalid-key-is-401': async (world: World) => {
    for (const [, answer] of await everyOperation(world, 'not-a-key')) expectRefused(answer, 401);
  },
  'key-is-taken-where-shown': async (world: World) => {
    for (const [, { status }] of await everyOperation(world, keys.full)) expect(status).not.toBe(401);
  },
  'insufficient-permission-is-403': async (world: World) => {
    for (const [, answer] of await everyOperation(world, keys.restricted)) expectRefused(answer, 403);
  },
  'key-refusal-does-nothing': async (world: World) => {
    const { call, target, clock } = world;
    const { workflow, profileGroup } = target.capacity;
    for (const key of [null, 'not-a-key', keys.restricted]) {
      const status = key === keys.restricted ? 403 : 401;
      const copy = (await call('duplicateProfile', target.profile)).body;
      await call('updateProfile', copy.id, { body: { name: `Renamed for ${key}` } });
      for (const operation of ['execute', 'executeSync'] as const)
        expectRefused(await call(operation, workflow, { key, body: { profileGroupId: profileGroup } }), status);
      expectRefused(await call('updateProfile', target.profile, { key, body: { description: 'x' } }), status);
      expectRefused(await call('duplicateProfile', target.profile, { key }), status);
      expectRefused(await call('deletePool', target.pool, { key }), status);
      // There is a place, the description is as it was, and nobody has the name.
      expect((await call('execute', workflow, { body: { profileGroupId: profileGroup } })).status).toBe(202);
      expect((await call('updateProfile', target.profile, { body: {} })).body.description).not.toBe('x');
      expect((await call('updateProfile', copy.id, { body: { name: copy.name } })).status).toBe(200);
      await clock.advance(10_000);
    }
    expect((await call('deletePool', target.pool)).status).toBeLessThan(300);
  },
};
