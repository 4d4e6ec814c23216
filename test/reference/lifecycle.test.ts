import { describe, expect, it } from 'vitest';
import { createApp } from '../../reference/app.js';
import { keys, organizationIds, workflowIds } from '../../reference/fixtures.js';
import { createService } from '../../reference/service.js';
import { FakeClock } from '../support/fake-clock.js';
import { createWorld, expectRefused, statuses, stops } from './world.js';

describe('an execution', () => {
  it.each([
    ['completes', { 0: 'starting', 99: 'starting', 100: 'running', 299: 'running', 300: 'completed' }],
    ['fails', { 0: 'starting', 100: 'running', 300: 'failed' }],
    ['cancelled', { 0: 'starting', 100: 'running', 300: 'cancelled' }],
    ['pauses', { 100: 'running', 300: 'paused', 1299: 'paused', 1300: 'running', 1400: 'completed' }],
    ['pausesByAgent', { 300: stops.pausesByAgent, 1300: 'running', 1400: 'completed' }],
    ['awaitsConfirmation', { 300: 'awaiting_confirmation', 1300: 'running', 1400: 'completed' }],
    ['slow', { 100: 'running', 1000: 'running', 1599: 'running', 1600: 'completed' }],
    ['writesFiles', { 100: 'running', 300: 'completed' }],
  ] as const)('of the workflow %s has its states at their times', async (name, table) => {
    const { start, read, clock, target } = createWorld();
    const id = await start(target.workflows[name]);
    const began = clock.now();
    for (const [at, status] of Object.entries(table)) {
      await clock.advance(began + Number(at) - clock.now());
      expect([at, (await read(id)).status]).toEqual([at, status]);
    }
  });

  it('goes faster by its speed, while the seconds of a synchronous wait stay seconds', async () => {
    const { start, read, clock, callInTime, target } = createWorld({ speed: 10 });
    const id = await start(target.workflows.completes);
    await clock.advance(30);
    expect((await read(id)).status).toBe('completed');
    // A slow run outlasts the wait at any speed.
    const answer = await callInTime('executeSync', target.workflows.slow, { body: { timeoutSeconds: 1 } });
    expect([answer.status, answer.ms]).toEqual([202, 1000]);
  });

  it('does not count the time in the queue in its duration or its end', async () => {
    const { start, read, clock, target } = createWorld();
    const body = { profileGroupId: target.capacity.profileGroup, onCapacityLimit: 'queue' };
    for (let number = 0; number < 5; number++) await start(target.capacity.workflow, body);
    const last = await start(target.capacity.workflow, body);
    await clock.advance(6000);
    expect(await read(last)).toMatchObject({
      duration: 1,
      createdAt: '2026-03-02T09:00:00.000Z',
      terminalAt: '2026-03-02T09:00:06.000Z',
    });
  });
});

describe('capacity', () => {
  it('is limited for the organization as well: a queued execution starts when any execution ends', async () => {
    const { start, read, call, clock, target } = createWorld({ limits: { concurrency: 2 } });
    const { completes, slow } = target.workflows;
    const running = [await start(slow), await start(completes)];
    expectRefused(await call('execute', completes, { body: {} }), 429);
    const queued = await start(completes, { onCapacityLimit: 'queue', profileId: target.profile });
    expect(await read(queued)).toMatchObject({ status: 'queued', agentProfileId: target.profile });
    await clock.advance(300);
    expect((await read(queued)).status).toBe('starting');
    expect((await read(running[0] ?? '')).status).toBe('running');
  });

  it('lets a start of one group pass one that waits for another group', async () => {
    const { start, read, clock, target } = createWorld({ limits: { concurrency: 2 } });
    const held = { profileGroupId: target.capacity.profileGroup, onCapacityLimit: 'queue' };
    await start(target.capacity.workflow, held);
    await start(target.workflows.completes);
    const blocked = await start(target.capacity.workflow, held);
    const free = await start(target.workflows.completes, { onCapacityLimit: 'queue' });
    await clock.advance(300);
    expect([(await read(blocked)).status, (await read(free)).status]).toEqual(['queued', 'starting']);
  });

  it('assigns each execution of a group its own profile until none is free', async () => {
    const { call, read, target } = createWorld();
    const profiles = new Set<string | undefined>();
    for (;;) {
      const { status, body } = await call('execute', target.workflows.slow, {
        body: { profileGroupId: target.profileGroup },
      });
      if (status !== 202) break;
      profiles.add((await read(body.executionId)).agentProfileId);
    }
    expect(profiles.size).toBe(12);
  });

  it('counts a profile that an execution has by its id as in use', async () => {
    const { start, read, call, target } = createWorld();
    const group = { profileGroupId: target.capacity.profileGroup };
    const { agentProfileId } = await read(await start(target.workflows.completes, group));
    const fresh = createWorld();
    await fresh.start(target.workflows.slow, { profileId: agentProfileId });
    expectRefused(await fresh.call('execute', target.workflows.completes, { body: group }), 429);
    expect((await call('execute', target.workflows.completes, { body: { profileId: agentProfileId } })).status).toBe(
      202,
    );
  });

  it('limits the queue', async () => {
    const { start, call, target } = createWorld({ limits: { queue: 1 } });
    const body = { profileGroupId: target.capacity.profileGroup, onCapacityLimit: 'queue' };
    await start(target.capacity.workflow, body);
    await start(target.capacity.workflow, body);
    expectRefused(await call('execute', target.capacity.workflow, { body }), 429);
  });

  it('starts queued executions of a group also when the group was deleted', async () => {
    const { start, history, call, target } = createWorld();
    const body = { profileGroupId: target.capacity.profileGroup, onCapacityLimit: 'queue' };
    await start(target.capacity.workflow, body);
    const id = await start(target.capacity.workflow, body);
    await call('deletePool', target.capacity.profileGroup);
    expect(statuses(await history(id, 2100))).toEqual(['queued', 'starting', 'running', 'completed']);
  });

  it('applies to queued synchronous starts, which get an answer too', async () => {
    const { start, callInTime, target } = createWorld();
    const body = { profileGroupId: target.capacity.profileGroup, onCapacityLimit: 'queue' };
    await start(target.capacity.workflow, body);
    await start(target.capacity.workflow, body);
    const waits = { body: { ...body, timeoutSeconds: 1 } };
    expect(await callInTime('executeSync', target.capacity.workflow, waits)).toMatchObject({
      status: 202,
      body: { status: 'queued' },
    });
    expect(await callInTime('executeSync', target.capacity.workflow, { body })).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    });
  });
});

describe('an execution that is steered into another state', () => {
  /** A service with room for one, and what starts runs of it. */
  function serviceOfOne() {
    const clock = new FakeClock(Date.UTC(2026, 2, 2, 9));
    const service = createService({ clock, seed: 1, limits: { concurrency: 1 } });
    const app = createApp(service, {});
    const runs = service.store.organizations.get(organizationIds.own)?.runs;
    const start = async () => {
      const request = new Request(`http://x.invalid/agents/v2/workflows/${workflowIds.completes}/execute`, {
        method: 'POST',
        headers: { 'X-Api-Key': keys.full, 'Content-Type': 'application/json' },
        body: JSON.stringify({ onCapacityLimit: 'queue' }),
      });
      const { executionId } = (await (await app(request)).json()) as { executionId: string };
      const run = runs?.get(executionId);
      if (!run) throw new Error('It was not started.');
      return run;
    };
    return { clock, lifecycle: service.lifecycle, start };
  }

  it('stays there, and ends once', async () => {
    const { clock, lifecycle, start } = serviceOfOne();
    const run = await start();
    lifecycle.steer(run, 'paused');
    await clock.advance(60_000);
    expect(run).toMatchObject({ status: 'paused' });
    lifecycle.steer(run, 'cancelled');
    const { terminalAt } = run;
    await clock.advance(60_000);
    lifecycle.steer(run, 'paused');
    expect(run).toMatchObject({ status: 'cancelled', terminalAt });
  });

  it('while it is queued frees its place in the queue, and starts no more', async () => {
    const { clock, lifecycle, start } = serviceOfOne();
    const [running, next, waiting] = [await start(), await start(), await start()];
    lifecycle.steer(waiting, 'cancelled');
    const states = () => [running, next, waiting].map(({ status }) => status);
    expect(states()).toEqual(['starting', 'queued', 'cancelled']);
    await clock.advance(60_000);
    expect(states()).toEqual(['completed', 'completed', 'cancelled']);
    expect((await start()).status).toBe('starting');
    expect((await start()).status).toBe('queued');
  });
});
