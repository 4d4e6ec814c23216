import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkflowClient, type WorkflowClient, type WorkflowClientOptions } from '../../client/index.js';
import { responseValidator } from '../../generated/validators.js';
import { createReference, type Reference, startReference } from '../../reference/index.js';
import { errorOf, FakeClock } from './support.js';

let reference: Reference;
let client: WorkflowClient;
const fast = { intervalMs: 5, maxIntervalMs: 20 };

beforeAll(async () => {
  reference = await startReference({ speed: 20, basePath: '/gateway' });
  client = connect();
});
afterAll(() => reference.close());

const connect = (options: Partial<WorkflowClientOptions> = {}) =>
  createWorkflowClient({
    baseUrl: reference.url,
    apiKey: reference.keys.full,
    validate: responseValidator,
    ...options,
  });

describe('against the reference service', () => {
  test.each([
    ['completes', 'completed'],
    ['fails', 'failed'],
    ['cancelled', 'cancelled'],
    ['pauses', 'completed'],
  ] as const)('runs a workflow that %s', async (workflow, end) => {
    expect((await client.run(reference.fixtures.workflows[workflow], {}, fast)).status).toBe(end);
  });

  test('runs with inputs and metadata, and reads the result', async () => {
    const request = { inputs: { month: '2026-10' }, metadata: { order: '17' } };
    const execution = await client.run(reference.fixtures.workflows.completes, request, fast);
    expect(execution).toMatchObject(request);
    expect(execution.executionResult?.outcome).toBe('success');
  });

  test('lists files, updates and copies a profile, deletes a pool', async () => {
    const { execution, profile, pool, otherOrganization } = reference.fixtures;
    expect(Object.keys((await client.listExecutionFiles(execution)).directories)).toContain('downloads');
    expect((await client.updateProfile(profile, { description: 'Tuned.' })).description).toBe('Tuned.');
    const copy = await client.duplicateProfile(profile, { organizationId: otherOrganization });
    expect(copy).toMatchObject({ description: 'Tuned.', organizationId: otherOrganization });
    expect((await client.duplicateProfile(profile)).id).not.toBe(profile);
    expect(await client.deletePool(pool)).toBeUndefined();
    await errorOf(client.deletePool(pool), 'not-found');
  });

  test('is refused with a wrong key, and with a key without the permission', async () => {
    const { execution, workflows } = reference.fixtures;
    await errorOf(connect({ apiKey: 'wrong-key' }).getExecution(execution), 'unauthorized');
    await errorOf(connect({ apiKey: reference.keys.restricted }).execute(workflows.completes), 'forbidden');
  });

  test('names the operation for a workflow that does not exist', async () => {
    const error = await errorOf(client.run('5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18'));
    expect(error).toMatchObject({ operation: 'execute', kind: 'not-found', requestSent: true });
  });
});

describe('on a shared clock with the reference service', () => {
  function together() {
    const clock = new FakeClock();
    const { fetch, fixtures: target } = createReference({
      clock: {
        now: clock.now,
        setTimeout: (fn, ms) => clock.timer(ms, fn),
        clearTimeout: (stop) => (stop as () => void)(),
      },
    });
    const options = { baseUrl: target.baseUrl, apiKey: target.apiKeys.primary };
    const client = createWorkflowClient({ ...options, fetch: (input, init) => fetch(new Request(input, init)) }, clock);
    return { clock, client, target };
  }

  test('follows a run through its states', async () => {
    const { clock, client, target } = together();
    const seen: string[] = [];
    const onStatus = ({ status }: { status: string }) => seen.push(status);
    const done = client.run(target.workflows.awaitsConfirmation, {}, { onStatus, intervalMs: 1000 });
    await clock.advance(10_000);
    expect((await done).status).toBe('completed');
    expect(seen).toEqual(['starting', 'awaiting_confirmation', 'completed']);
  });

  test('polls a run to its end, also one that pauses before', async () => {
    const { clock, client, target } = together();
    const quick = client.run(target.workflows.slow);
    await clock.advance(10_000);
    expect((await quick).status).toBe('completed');
    const stopping = client.run(target.workflows.pauses);
    await clock.advance(10_000);
    expect((await stopping).status).toBe('completed');
  });

  test('ends a wait at a pause, and continues it', async () => {
    const { clock, client, target } = together();
    const paused = client.run(target.workflows.pauses, {}, { intervalMs: 100, until: ['paused'] });
    await clock.advance(1000);
    const { id, status } = await paused;
    expect(status).toBe('paused');
    const ended = client.waitFor(id);
    await clock.advance(10_000);
    expect((await ended).status).toBe('completed');
  });

  test('waits from queued to the end', async () => {
    const { clock, client, target } = together();
    const { workflow, profileGroup: profileGroupId } = target.capacity;
    await client.execute(workflow, { profileGroupId });
    expect(await errorOf(client.execute(workflow, { profileGroupId }))).toMatchObject({ requestSent: true });
    const seen: string[] = [];
    const queued = client.run(
      workflow,
      { profileGroupId, onCapacityLimit: 'queue' },
      { intervalMs: 100, maxIntervalMs: 100, onStatus: ({ status }) => seen.push(status) },
    );
    await clock.advance(10_000);
    expect((await queued).status).toBe('completed');
    expect(seen).toEqual(['queued', 'starting', 'running', 'completed']);
  });

  test('a run ends at its deadline while the execution continues', async () => {
    const { clock, client, target } = together();
    const ended = errorOf(client.run(target.workflows.slow, {}, { timeoutMs: 1200 }), 'timeout');
    await clock.advance(1200);
    const { executionId = '' } = await ended;
    await clock.advance(1000);
    expect((await client.getExecution(executionId)).status).toBe('completed');
  });
});
