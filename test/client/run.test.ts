import { describe, expect, test } from 'vitest';
import type { WaitOptions } from '../../client/index.js';
import type { ExecuteRequest, ExecutionStatus } from '../../generated/types.js';
import { errorOf, execution, executionId, json, never, scripted, settled, workflowId } from './support.js';

const started =
  (status = 'starting') =>
  () =>
    json({ executionId, status }, 202);
const finished = () => json({ executionId, status: 'completed' }, 200);
const reads = (...names: string[]) => names.map((name) => () => execution(name));
const paths = (sent: { method: string; url: string }[]) =>
  sent.map(({ method, url }) => `${method} ${url.replace(/^.*\/agents\/v2\/\w+\/[^/]+/, '')}`.trim());

describe('running a workflow', () => {
  test('lets the service wait, then reads the execution once', async () => {
    const { client, sent } = scripted([finished, ...reads('completed')]);
    expect(await client.run(workflowId, { inputs: { a: 1 } })).toMatchObject({ id: executionId, status: 'completed' });
    expect(paths(sent)).toEqual(['POST /execute/sync', 'GET']);
    expect(sent[0]?.body).toEqual({ inputs: { a: 1 }, timeoutSeconds: 25 });
  });

  test('polls after a 202', async () => {
    const { client, clock, sent } = scripted([started('running'), ...reads('running', 'paused', 'failed')]);
    const done = client.run(workflowId);
    await clock.advance(10_000);
    expect((await done).status).toBe('failed');
    expect(paths(sent)).toEqual(['POST /execute/sync', 'GET', 'GET', 'GET']);
  });

  test.each<[name: string, request: ExecuteRequest, options: WaitOptions<ExecutionStatus>]>([
    ['may be queued', { onCapacityLimit: 'queue' }, {}],
    ['is followed state by state', {}, { onStatus: () => {} }],
    ['may be aborted', {}, { signal: new AbortController().signal }],
    ['is awaited to another state', {}, { until: ['paused'] }],
    ['has less than two seconds', {}, { timeoutMs: 1999 }],
  ])('starts and polls an execution that %s', async (_, request, options) => {
    const { client, sent } = scripted([started(), ...reads('completed')]);
    await client.run(workflowId, request, options);
    expect(paths(sent)).toEqual(['POST /execute', 'GET']);
    expect(sent[0]?.body).toEqual(request);
  });

  test.each([
    [2000, 1],
    [10_500, 9],
    [26_000, 25],
    [3_600_000, 25],
  ])('with %d ms in all lets the service wait %d s', async (timeoutMs, timeoutSeconds) => {
    const { client, sent } = scripted([finished, ...reads('completed')]);
    await client.run(workflowId, {}, { timeoutMs });
    expect(sent[0]?.body).toEqual({ timeoutSeconds });
  });

  test('ends at a state in until', async () => {
    const { client, clock } = scripted([started(), ...reads('running', 'awaiting_confirmation')]);
    const done = client.run(workflowId, {}, { until: ['awaiting_confirmation'] });
    await clock.advance(10_000);
    expect((await done).status).toBe('awaiting_confirmation');
  });

  test('tells each state', async () => {
    const { client, clock } = scripted([started('queued'), ...reads('queued', 'queued', 'running', 'completed')]);
    const told: string[] = [];
    const done = client.run(workflowId, { onCapacityLimit: 'queue' }, { onStatus: ({ status }) => told.push(status) });
    await clock.advance(10_000);
    await done;
    expect(told).toEqual(['queued', 'running', 'completed']);
  });

  test('has one deadline for all of it', async () => {
    const { client, clock } = scripted([started('running'), ...reads('running')]);
    const ended = errorOf(client.run(workflowId, {}, { timeoutMs: 30_000 }), 'timeout');
    await clock.advance(29_999);
    await clock.advance(1);
    expect(await ended).toMatchObject({ executionId });
    expect(clock.pending).toBe(0);
  });

  test('that gets no answer in time may have started', async () => {
    const patient = scripted([never], { timeoutMs: 5000 });
    const ended = errorOf(patient.client.run(workflowId), 'may-have-started');
    await patient.clock.advance(25_000 + 4999);
    expect(patient.sent[0]?.signal?.aborted).toBe(false);
    await patient.clock.advance(1);
    await ended;

    const polling = scripted([never], { timeoutMs: 5000 });
    const polled = errorOf(polling.client.run(workflowId, {}, { onStatus: () => {} }), 'may-have-started');
    await polling.clock.advance(5000);
    await polled;

    const hurried = scripted([never]);
    const cut = errorOf(hurried.client.run(workflowId, {}, { timeoutMs: 4000 }), 'may-have-started');
    await hurried.clock.advance(4000);
    await cut;
  });

  test('aborted while it starts sends nothing more, and says that it may have started', async () => {
    const { client, clock, sent } = scripted([never]);
    const controller = new AbortController();
    const ended = errorOf(client.run(workflowId, {}, { signal: controller.signal }), 'aborted');
    await settled();
    controller.abort();
    expect((await ended).message).toContain('may have started');
    await clock.advance(60_000);
    expect(sent).toHaveLength(1);
  });

  test('aborted while it runs names the execution', async () => {
    const { client, clock, sent } = scripted([started(), ...reads('running')]);
    const controller = new AbortController();
    const ended = errorOf(client.run(workflowId, {}, { signal: controller.signal }), 'aborted');
    await clock.advance(5000);
    controller.abort();
    expect(await ended).toMatchObject({ executionId });
    const before = sent.length;
    await clock.advance(60_000);
    expect(sent).toHaveLength(before);
  });

  test('is not started twice by an answer without an id', async () => {
    const { client, sent } = scripted([() => json({ status: 'starting' }, 202)]);
    await errorOf(client.run(workflowId), 'may-have-started');
    expect(sent).toHaveLength(1);
  });
});
