import { describe, expect, test } from 'vitest';
import { settled } from '../support/fake-clock.js';
import { errorOf, execution, executionId, json, never, scripted, workflowId } from './support.js';

const started =
  (status = 'starting') =>
  () =>
    json({ executionId, status }, 202);
const reads = (...names: string[]) => names.map((name) => () => execution(name));

describe('running a workflow', () => {
  test('ends at a state in until', async () => {
    const { client, clock } = scripted([started(), ...reads('running', 'awaiting_confirmation')]);
    const done = client.run(workflowId, {}, { until: ['awaiting_confirmation'] });
    await clock.advance(10_000);
    expect((await done).status).toBe('awaiting_confirmation');
  });

  test('passes each state to onStatus', async () => {
    const { client, clock } = scripted([started('queued'), ...reads('queued', 'queued', 'running', 'completed')]);
    const told: string[] = [];
    const done = client.run(workflowId, { onCapacityLimit: 'queue' }, { onStatus: ({ status }) => told.push(status) });
    await clock.advance(10_000);
    await done;
    expect(told).toEqual(['queued', 'running', 'completed']);
  });

  test('has one deadline for start and wait', async () => {
    const { client, clock } = scripted([started('running'), ...reads('running')]);
    const ended = errorOf(client.run(workflowId, {}, { timeoutMs: 30_000 }), 'timeout');
    await clock.advance(29_999);
    await clock.advance(1);
    expect(await ended).toMatchObject({ executionId });
    expect(clock.pending).toBe(0);
  });

  test('may have started when no answer arrives in time', async () => {
    const patient = scripted([never], { timeoutMs: 5000 });
    const ended = errorOf(patient.client.run(workflowId), 'may-have-started');
    await patient.clock.advance(4999);
    expect(patient.sent[0]?.signal?.aborted).toBe(false);
    await patient.clock.advance(1);
    await ended;

    const hurried = scripted([never]);
    const cut = errorOf(hurried.client.run(workflowId, {}, { timeoutMs: 4000 }), 'may-have-started');
    await hurried.clock.advance(4000);
    await cut;
  });

  test('sends no more requests when it is aborted during the start, and may have started', async () => {
    const { client, clock, sent } = scripted([never]);
    const controller = new AbortController();
    const ended = errorOf(client.run(workflowId, {}, { signal: controller.signal }), 'may-have-started');
    await settled();
    const reason = new Error('The user went away.');
    controller.abort(reason);
    expect((await ended).cause).toBe(reason);
    await clock.advance(60_000);
    expect(sent).toHaveLength(1);
  });

  test('names the execution when it is aborted during the wait', async () => {
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
});
