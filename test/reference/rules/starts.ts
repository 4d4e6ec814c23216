import { expect } from 'vitest';
import { isTerminal } from '../../../generated/lifecycle.js';
import { flags } from '../../support/profiles.js';
import { cookie, expectRefused, nobody, otherWords, overCapacity, refusesUpdates, type World } from '../world.js';

const both = ['execute', 'executeSync'] as const;

/** The request without its one mistake is taken; with it, it is refused. */
async function refuses(world: World, workflow: string, right: object, ...wrong: unknown[]): Promise<void> {
  for (const operation of both) {
    expect((await world.callInTime(operation, workflow, { body: right })).status).toBeLessThan(300);
    for (const body of wrong) expectRefused(await world.call(operation, workflow, { body }));
  }
}

export const startRules = {
  'execute-is-accepted': async ({ call, target }: World) => {
    expect(await call('execute', target.workflows.completes, { body: {} })).toMatchObject({
      status: 202,
      body: { executionId: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'starting' },
    });
  },
  'execute-initial-status': async ({ call, target }: World) => {
    const body = { profileGroupId: target.capacity.profileGroup, onCapacityLimit: 'queue' };
    const [first, second] = [
      await call('execute', target.capacity.workflow, { body }),
      await call('execute', target.capacity.workflow, { body }),
    ];
    expect([first.body.status, second.body.status]).toEqual(['starting', 'queued']);
  },
  'queued-only-when-asked': async (world: World) => {
    const { target } = world;
    const body = { profileGroupId: target.capacity.profileGroup };
    const { body: started } = await world.call('execute', target.capacity.workflow, { body });
    expect(started.status).not.toBe('queued');
    const id = started.executionId;
    for (const onCapacityLimit of [undefined, 'reject'])
      expectRefused(
        await world.call('execute', target.capacity.workflow, { body: { ...body, onCapacityLimit } }),
        overCapacity(world),
      );
    for (const { status } of await world.history(id, 1200)) expect(status).not.toBe('queued');
  },
  'head-excludes-version': async (world: World) => {
    const { completes } = world.target.workflows;
    await refuses(world, completes, { version: 1 }, { head: true, version: 1 });
    await refuses(world, completes, { head: true }, { head: true, version: 3 });
    const [status] = world.choices['exclusivity-status'].split('/').map(Number);
    expectRefused(await world.call('execute', completes, { body: { head: true, version: 1 } }), status);
  },
  'profile-excludes-group': async (world: World) => {
    const { profile, profileGroup, workflows } = world.target;
    const wrong = { profileId: profile, profileGroupId: profileGroup };
    await refuses(world, workflows.completes, { profileId: profile }, wrong);
    await refuses(world, workflows.completes, { profileGroupId: profileGroup }, wrong, {
      agentProfileId: profile,
      profileGroupId: profileGroup,
    });
    const [status] = world.choices['exclusivity-status'].split('/').map(Number);
    expectRefused(await world.call('execute', workflows.completes, { body: wrong }), status);
  },
  'temp-files-are-never-queued': async (world: World) => {
    const { capacity, tempFile } = world.target;
    const body = { profileGroupId: capacity.profileGroup, tempFiles: [tempFile], onCapacityLimit: 'queue' };
    const free = await world.call('execute', capacity.workflow, { body });
    if (world.choices['queue-with-temp-files'] === 'taken') expect(free.body.status).toBe('starting');
    else expectRefused(free, Number(world.choices['queue-with-temp-files']));
    await world.clock.advance(2000);
    await world.start(capacity.workflow, { profileGroupId: capacity.profileGroup });
    for (const operation of both) expectRefused(await world.call(operation, capacity.workflow, { body }));
  },
  'temp-files-must-exist': async (world: World) => {
    const { tempFile, workflows } = world.target;
    await refuses(world, workflows.completes, { tempFiles: [tempFile] }, { tempFiles: [{ ...tempFile, id: nobody }] });
  },
  'variant-key-is-required': async (world: World) => {
    await refuses(
      world,
      world.target.workflows.variantMode,
      { executionOptions: { variantKey: 'a' } },
      {},
      { executionOptions: {} },
      { executionOptions: { variantKey: '' } },
    );
  },
  'variant-key-needs-variant-mode': async (world: World) => {
    const wrong = { executionOptions: { variantKey: 'a' } };
    await refuses(world, world.target.workflows.completes, { executionOptions: {} }, wrong);
    const [status] = world.choices['variant-key-status'].split('/').map(Number);
    expectRefused(await world.call('execute', world.target.workflows.completes, { body: wrong }), status);
  },
  'variant-key-is-normalised': async (world: World) => {
    for (const variantKey of ['North Wind/2', '???', '.'])
      expect(await world.start(world.target.workflows.variantMode, { executionOptions: { variantKey } })).toBeDefined();
  },
  'storage-key-is-a-slug': async (world: World) => {
    for (const variantKey of ['North Wind/2', '../../etc', 'Ünïcødé', '???', 'x'.repeat(300), '.', 'a\u0000b']) {
      const { executionOptions } = await world.run(world.target.workflows.variantMode, {
        executionOptions: { variantKey },
      });
      const slug = executionOptions?.sharedStorageKey;
      if (world.choices['variant-key-slug'] === 'hidden') expect(slug).toBeUndefined();
      else expect(slug).toMatch(/^[a-z0-9][a-z0-9_-]{0,63}$/);
    }
  },
  'execute-returns-at-once': async (world: World) => {
    const { body, ms } = await world.callInTime('execute', world.target.workflows.slow, { body: {} });
    expect(ms).toBe(0);
    const id = body.executionId;
    expect(isTerminal((await world.read(id)).status)).toBe(false);
  },
  'soft-timeout-minimum': async (world: World) => {
    const options = (softTimeoutMins: unknown) => ({ executionOptions: { softTimeoutMins } });
    await refuses(world, world.target.workflows.completes, options(1), options(0), options(-1), options(1.5));
  },
  'soft-timeout-below-hard-timeout': async (world: World) => {
    const hard = world.target.agentHardTimeoutMins;
    const options = (softTimeoutMins: number) => ({ executionOptions: { softTimeoutMins } });
    await refuses(world, world.target.workflows.completes, options(hard - 1), options(hard), options(hard + 1));
  },
  'version-must-exist': (world: World) =>
    refuses(world, world.target.workflows.completes, { version: 3 }, { version: 4 }, { version: 0 }, { version: -1 }),
  'version-and-head-are-accepted': async ({ start, target }: World) => {
    for (const body of [{}, { version: 1 }, { version: target.publishedVersion }, { head: true }, { head: false }])
      await start(target.workflows.completes, body);
  },
  'workflow-must-exist': async ({ call, choices }: World) => {
    for (const operation of both)
      expectRefused(await call(operation, nobody, { body: {} }), Number(choices['unknown-workflow-status']));
  },
  'execute-profile-must-exist': async (world: World) => {
    const { profile, workflows } = world.target;
    await refuses(
      world,
      workflows.completes,
      { profileId: profile },
      { profileId: nobody },
      { profileGroupId: nobody },
      { agentProfileId: nobody },
      { agentProfilePoolId: nobody },
    );
  },
  'execute-body-is-typed': async (world: World) => {
    const { completes } = world.target.workflows;
    const wrong = [
      { metadata: { a: 1 } },
      { metadata: 'a' },
      { inputs: [] },
      { profileId: 'x' },
      { profileId: null },
      { onCapacityLimit: 'wait' },
      { version: '1' },
      { head: 1 },
      { tempFiles: {} },
      { tempFiles: [{ id: nobody }] },
      { executionOptions: [] },
      [],
      'x',
      null,
    ];
    await refuses(world, completes, {}, ...wrong);
    for (const raw of ['{', '', '{"a":1,}', 'undefined', '\ufeff{'])
      expectRefused(await world.call('execute', completes, { raw }), 400);
  },
  'deprecated-fields-still-work': async (world: World) => {
    const { capacity, profile, profileGroup, workflows } = world.target;
    const { completes } = workflows;
    expect(await world.run(completes, { agentProfileId: profile })).toMatchObject({ agentProfileId: profile });
    expect((await world.run(completes, { agentProfilePoolId: profileGroup })).agentProfileId).toBeDefined();
    expect(await world.run(completes, { dynamicData: { a: [1] } })).toMatchObject({ inputs: { a: [1] } });
    await world.start(capacity.workflow, { agentProfilePoolId: capacity.profileGroup });
    expectRefused(
      await world.call('execute', capacity.workflow, { body: { agentProfilePoolId: capacity.profileGroup } }),
      overCapacity(world),
    );
  },
  'over-capacity-is-rejected': async (world: World) => {
    const { capacity } = world.target;
    const body = { profileGroupId: capacity.profileGroup };
    const status = overCapacity(world);
    await world.start(capacity.workflow, body);
    for (const operation of both)
      for (const onCapacityLimit of [undefined, 'reject'])
        expectRefused(await world.call(operation, capacity.workflow, { body: { ...body, onCapacityLimit } }), status);
    await world.clock.advance(1000);
    await world.start(capacity.workflow, body);
  },
  'sync-timeout-is-integer': async ({ call, target }: World) => {
    for (const timeoutSeconds of [1.5, '1', null, true])
      expectRefused(await call('executeSync', target.workflows.completes, { body: { timeoutSeconds } }), 400);
  },
  'update-body-is-typed': async (world: World) => {
    await refusesUpdates(
      world,
      { description: 'x' },
      ...flags.map((flag) => ({ [flag]: 'yes' })),
      { extensionIds: ['x'] },
      ...otherWords,
      { cookiesToAdd: [{ ...cookie, domain: undefined }] },
      { cookiesToDelete: ['x'] },
      { credentialsToAdd: [{ name: 'x' }] },
      { name: null },
      [],
    );
    expectRefused(await world.call('updateProfile', world.target.profile, { raw: '{"name":' }), 400);
  },
  'duplicate-into-unknown-organization': async (world: World) => {
    const { call, target } = world;
    expectRefused(await call('duplicateProfile', target.profile, { body: { organizationId: nobody } }), 400);
  },
  'deleted-pool-cannot-run': async (world: World) => {
    const { call, clock, target } = world;
    const ask = { body: { profileGroupId: target.pool } };
    expect((await call('execute', target.workflows.completes, ask)).status).toBe(202);
    await clock.advance(500);
    await world.deletePool(target.pool);
    expectRefused(await call('execute', target.workflows.completes, ask));
  },
};
