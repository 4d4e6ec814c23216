import { describe, expect, it } from 'vitest';
import { createReference, keys, startReference } from '../../deviations/index.js';
import { createWorld, expectRefused } from './world.js';

describe('a service', () => {
  it('drops executions that ended long ago, but no running one', async () => {
    const { run, start, read, call, clock, target } = createWorld({ limits: { ended: 2 } });
    const oldest = await run(target.workflows.completes);
    const [middle, newest] = [await run(target.workflows.completes), await run(target.workflows.completes)];
    const running = await start(target.workflows.slow);
    await clock.advance(100);
    expectRefused(await call('getExecution', oldest.id), 404);
    expectRefused(await call('listExecutionFiles', oldest.id), 404);
    for (const id of [middle.id, newest.id, running, target.execution]) expect((await read(id)).id).toBe(id);
  });

  it('drops executions earlier if their requests were large', async () => {
    const { run, call, target } = createWorld({ limits: { endedBytes: 1000 } });
    const inputs = { text: 'x'.repeat(600) };
    const [one, two] = [
      await run(target.workflows.completes, { inputs }),
      await run(target.workflows.completes, { inputs }),
    ];
    expectRefused(await call('getExecution', one.id), 404);
    expect((await call('getExecution', two.id)).status).toBe(200);
  });

  it('drops the oldest duplicates, and frees their names', async () => {
    const { duplicate, call, target } = createWorld({ limits: { copies: 2 } });
    const copies = [];
    for (let number = 0; number < 3; number++) copies.push(await duplicate(target.profile));
    expectRefused(await call('duplicateProfile', copies[0]?.id ?? ''), 404);
    expect((await duplicate(target.profile)).name).toBe(copies[0]?.name);
  });

  it('refuses an update that would make a profile too large', async () => {
    const { call, update, target } = createWorld({ limits: { profileBytes: 5000 } });
    const credentialsToAdd = [{ name: 'x', data: 'x'.repeat(3000) }];
    await update(target.profile, { credentialsToAdd });
    expectRefused(await call('updateProfile', target.profile, { body: { credentialsToAdd } }), 400);
  });

  it('counts the bytes of a profile, not its characters', async () => {
    const { call, target } = createWorld({ limits: { profileBytes: 5000 } });
    const credentialsToAdd = [{ name: 'x', data: 'ü'.repeat(3000) }];
    expectRefused(await call('updateProfile', target.profile, { body: { credentialsToAdd } }), 400);
  });

  it('hides its resources from other organizations', async () => {
    const { call, start, target } = createWorld();
    const execution = await start(target.workflows.completes);
    const other = { key: keys.otherOrganization };
    for (const id of [execution, target.execution]) {
      expectRefused(await call('getExecution', id, other), 404);
      expectRefused(await call('listExecutionFiles', id, other), 404);
    }
    expectRefused(await call('updateProfile', target.profile, { ...other, body: { name: 'x' } }), 404);
    expectRefused(await call('duplicateProfile', target.profile, other), 404);
    expectRefused(await call('deletePool', target.pool, other), 404);
    expectRefused(await call('execute', target.workflows.completes, { ...other, body: {} }), 404);
  });

  it('keeps copies out of organizations that a key has no access to', async () => {
    const { call, target } = createWorld();
    const strangers = 'b0000004-0000-4000-8000-000000000000';
    const body = { organizationId: '00000001-0000-4000-8000-000000000000' };
    expect((await call('duplicateProfile', strangers, { key: keys.otherOrganization })).status).toBe(201);
    expectRefused(await call('duplicateProfile', strangers, { key: keys.otherOrganization, body }), 400);
    expectRefused(
      await call('duplicateProfile', strangers, { body: { organizationId: target.otherOrganization } }),
      404,
    );
  });
});

describe('createReference', () => {
  it('creates the same ids with the same seed, and others without', async () => {
    const id = async (options: object) => {
      const world = createWorld(options);
      return world.start(world.target.workflows.completes);
    };
    expect(await id({ seed: 7 })).toBe(await id({ seed: 7 }));
    expect(await id({ seed: 7 })).not.toBe(await id({ seed: 8 }));
    expect(await id({ seed: undefined })).not.toBe(await id({ seed: undefined }));
  });

  it('delays every request by the latency', async () => {
    const { callInTime, target } = createWorld({ latencyMs: 250 });
    expect(await callInTime('getExecution', target.execution)).toMatchObject({ status: 200, ms: 250 });
  });

  it('serves under a base path, which its own addresses have as well', async () => {
    const { run, files, call, reference, target, clock } = createWorld({ basePath: '/gateway/eu' });
    const { id } = await run(target.workflows.writesFiles);
    await clock.advance(1000);
    const [file] = (await files(id)).directories.downloads;
    expect(file?.downloadUrl).toMatch(/^http:\/\/reference\.invalid\/gateway\/eu\/files\//);
    const response = await reference.fetch(new Request(file?.downloadUrl ?? ''));
    expect([response.status, response.headers.get('content-type'), (await response.text()).length]).toEqual([
      200,
      'text/csv',
      file?.fileSize,
    ]);
    expect((await call('execute', id, { body: {} })).body.instance).toBe(
      `/gateway/eu/agents/v2/workflows/${id}/execute`,
    );
    expect((await reference.fetch(new Request('http://reference.invalid/agents/v2/executions/x'))).status).toBe(404);
    expect((await reference.fetch(new Request(`${file?.downloadUrl}0`))).status).toBe(404);
  });

  it('denies the restricted key the operations of its options, and names them in the target', async () => {
    const { call, target } = createWorld({ denied: ['updateProfile'] });
    expect(target.apiKeys.restricted.denied).toEqual(['updateProfile']);
    expect((await call('getExecution', target.execution, { key: keys.restricted })).status).toBe(200);
    expectRefused(await call('updateProfile', target.profile, { key: keys.restricted, body: {} }), 403);
  });

  it('lets browsers call only with cors', async () => {
    const preflight = (cors: boolean) =>
      createWorld({ cors }).reference.fetch(
        new Request('http://reference.invalid/agents/v2/executions/x', {
          method: 'OPTIONS',
          headers: { Origin: 'https://a.example', 'Access-Control-Request-Headers': 'X-Api-Key' },
        }),
      );
    expect((await preflight(true)).headers.get('access-control-allow-headers')).toBe('X-Api-Key');
    expect((await preflight(false)).headers.get('access-control-allow-origin')).toBeNull();
    // With cookies, and with the headers that say when to come again.
    const { headers } = await createWorld({ cors: true }).reference.fetch(
      new Request('http://reference.invalid/agents/v2/executions/x', { headers: { Origin: 'https://a.example' } }),
    );
    expect(['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`))).toEqual([
      'https://a.example',
      'true',
    ]);
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  });

  it('reports its own failures, and answers them with the error body of the operation', async () => {
    const breaks = {
      id: 'x',
      breaks: ['no-server-errors'] as const,
      behaviour: () => ({
        findRun: () => {
          throw new Error('boom');
        },
        readStart: () => {
          throw new Error('boom');
        },
      }),
    };
    const { call, target, failures } = createWorld({ faults: [breaks] });
    expect(await call('getExecution', target.execution)).toMatchObject({
      status: 500,
      body: { code: 500, message: 'The service failed.' },
    });
    expect((await call('execute', target.workflows.completes, { body: {} })).body).toMatchObject({ status: 500 });
    expect(failures).toEqual([new Error('boom'), new Error('boom')]);
  });

  it('answers waiting requests when it is closed, and leaves no timer behind', async () => {
    const { reference, call, clock, target } = createWorld();
    const waiting = call('executeSync', target.workflows.slow, { body: {} });
    await clock.advance(500);
    await reference.close();
    expect(await waiting).toMatchObject({ status: 202, body: { status: 'running' } });
    expect(clock.next).toBe(Number.POSITIVE_INFINITY);
  });

  it('accepts faults by their ids', async () => {
    const { fetch, fixtures: target } = createReference({ faults: ['errors-are-html'] });
    const answer = await fetch(new Request(`${target.baseUrl}/agents/v2/executions/${target.execution}`));
    expect(answer.headers.get('Content-Type')).toContain('text/html');
    expect(() => createReference({ faults: ['errors-are-htm'] })).toThrow('did you mean errors-are-html?');
  });

  it('refuses a speed of zero', () => {
    expect(() => createReference({ speed: 0 })).toThrow('speed must be a number above 0.');
    expect(() => createReference({ speed: Number.NaN })).toThrow('speed must be a number above 0.');
  });

  it('names a choice that does not exist', async () => {
    expect(() => createReference({ choices: 'lenent' })).toThrow('did you mean lenient?');
    await expect(startReference({ choices: 'lenent' })).rejects.toThrow('did you mean lenient?');
  });
});
