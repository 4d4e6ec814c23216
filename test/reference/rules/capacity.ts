import { expect } from 'vitest';
import { isTerminal } from '../../../generated/lifecycle.js';
import { expectRefused, overCapacity, type World } from '../world.js';

export const capacityRules = {
  'over-capacity-is-queued': async (world: World) => {
    const { capacity } = world.target;
    const body = { profileGroupId: capacity.profileGroup, onCapacityLimit: 'queue' };
    await world.start(capacity.workflow, body);
    const { status, body: queued } = await world.call('execute', capacity.workflow, { body });
    expect([status, queued.status]).toEqual([202, 'queued']);
    expect((await world.read(queued.executionId)).status).toBe(world.choices['status-read-while-queued']);
  },
  'queued-starts-by-itself': async (world: World) => {
    const { capacity } = world.target;
    const body = { profileGroupId: capacity.profileGroup, onCapacityLimit: 'queue' };
    await world.start(capacity.workflow, body);
    const id = await world.start(capacity.workflow, body);
    await world.clock.advance(1050);
    const { status, agentProfileId } = await world.read(id);
    expect(status).toBe(world.choices['state-after-queued']);
    expect(agentProfileId).toBeDefined();
    await world.clock.advance(1000);
    expect((await world.read(id)).status).toBe('completed');
  },
  'queue-is-oldest-first': async (world: World) => {
    const { capacity } = world.target;
    const body = { profileGroupId: capacity.profileGroup, onCapacityLimit: 'queue' };
    const ids: string[] = [];
    for (let number = 0; number < 4; number++) ids.push(await world.start(capacity.workflow, body));
    for (const [index] of ids.entries()) {
      await world.clock.advance(500);
      const ended = await Promise.all(ids.map(async (id) => isTerminal((await world.read(id)).status)));
      expect(ended).toEqual(ids.map((_, other) => other < index));
      await world.clock.advance(500);
    }
  },
  'queue-is-not-overtaken': async (world: World) => {
    const { capacity } = world.target;
    const body = { profileGroupId: capacity.profileGroup };
    const [first, second] = [
      await world.start(capacity.workflow, body),
      await world.start(capacity.workflow, { ...body, onCapacityLimit: 'queue' }),
    ];
    while (!isTerminal((await world.read(first)).status)) await world.clock.advance(10);
    expectRefused(await world.call('execute', capacity.workflow, { body }), overCapacity(world));
    expect(isTerminal((await world.read(second)).status)).toBe(false);
  },
  'capacity-is-freed': async (world: World) => {
    const { capacity, workflows } = world.target;
    const body = { profileGroupId: capacity.profileGroup };
    for (const workflow of [workflows.completes, workflows.fails, workflows.cancelled, workflows.pauses]) {
      await world.start(workflow, body);
      expectRefused(await world.call('execute', workflow, { body }), overCapacity(world));
      await world.clock.advance(2000);
    }
  },
};
