import { expect } from 'vitest';
import { expectRefused, stops, type World } from '../world.js';

export const syncRules = {
  'sync-takes-the-same-body': async ({ callInTime, target }: World) => {
    const { profileGroup, tempFile, workflows } = target;
    for (const body of [{ head: true }, { profileGroupId: profileGroup }, { tempFiles: [tempFile] }])
      expect(await callInTime('executeSync', workflows.completes, { body })).toMatchObject({ status: 200 });
  },
  'sync-200-means-terminal': async ({ callInTime, target }: World) => {
    for (const [name, status] of Object.entries({ completes: 'completed', fails: 'failed', cancelled: 'cancelled' }))
      expect(
        await callInTime('executeSync', target.workflows[name as 'completes'], { body: { timeoutSeconds: 5 } }),
      ).toMatchObject({ status: 200, body: { status } });
  },
  'sync-202-means-not-finished': async ({ callInTime, target }: World) => {
    for (const [name, status] of Object.entries({ slow: 'running', ...stops }))
      expect(
        await callInTime('executeSync', target.workflows[name as 'slow'], { body: { timeoutSeconds: 1 } }),
      ).toMatchObject({ status: 202, body: { status } });
  },
  'sync-wait-is-bounded': async ({ callInTime, target }: World) => {
    const { ms, status } = await callInTime('executeSync', target.workflows.slow, { body: { timeoutSeconds: 1 } });
    expect([status, ms]).toEqual([202, 1000]);
  },
  'sync-202-keeps-running': async (world: World) => {
    const { body } = await world.callInTime('executeSync', world.target.workflows.slow, {
      body: { timeoutSeconds: 1 },
    });
    expect((await world.read(body.executionId)).status).toBe('running');
    await world.clock.advance(600);
    expect((await world.read(body.executionId)).status).toBe('completed');
  },
  'sync-is-not-idempotent': async ({ callInTime, target }: World) => {
    const ask = { body: { inputs: { a: 1 } } };
    const [one, two] = [
      await callInTime('executeSync', target.workflows.completes, ask),
      await callInTime('executeSync', target.workflows.completes, ask),
    ];
    expect(one.body.executionId).not.toBe(two.body.executionId);
  },
  'sync-result-agrees': async (world: World) => {
    const { body } = await world.callInTime('executeSync', world.target.workflows.completes, { body: {} });
    const { executionResult } = await world.read(body.executionId);
    expect(body.executionResult).toEqual(executionResult);
    if (world.choices['optional-fields'] === 'all')
      expect(executionResult).toMatchObject({ executionId: body.executionId, outcome: 'success' });
  },
  'sync-timeout-range': async ({ call, callInTime, target }: World) => {
    for (const timeoutSeconds of [1, 25])
      expect((await callInTime('executeSync', target.workflows.completes, { body: { timeoutSeconds } })).status).toBe(
        200,
      );
    for (const timeoutSeconds of [0, -1, 26])
      expectRefused(await call('executeSync', target.workflows.completes, { body: { timeoutSeconds } }), 400);
  },
  'sync-default-timeout': async ({ callInTime, target }: World) => {
    expect(await callInTime('executeSync', target.workflows.slow, { body: {} })).toMatchObject({
      status: 200,
      ms: 1600,
    });
  },
  'sync-returns-when-done': async ({ callInTime, target }: World) => {
    expect((await callInTime('executeSync', target.workflows.completes, { body: { timeoutSeconds: 25 } })).ms).toBe(
      300,
    );
  },
  'queued-call-waits': async ({ callInTime, start, target }: World) => {
    const { profileGroup, workflow } = target.capacity;
    const body = { profileGroupId: profileGroup, onCapacityLimit: 'queue' };
    await start(workflow, body);
    expect(await callInTime('executeSync', workflow, { body: { ...body, timeoutSeconds: 1 } })).toMatchObject({
      status: 202,
      body: { status: 'queued' },
      ms: 1000,
    });
  },
  'sync-202-when-time-is-up': async ({ callInTime, target }: World) => {
    expect(await callInTime('executeSync', target.workflows.slow, { body: { timeoutSeconds: 1 } })).toMatchObject({
      status: 202,
      ms: 1000,
    });
  },
  'sync-202-status-is-current': async ({ callInTime, read, target }: World) => {
    for (const workflow of [target.workflows.slow, target.workflows.pauses, target.workflows.pausesByAgent]) {
      const { status, body } = await callInTime('executeSync', workflow, { body: { timeoutSeconds: 1 } });
      expect([status, body.status]).toEqual([202, (await read(body.executionId)).status]);
    }
  },
};
