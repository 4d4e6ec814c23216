import { expect, it } from 'vitest';
import { createReference } from '../../deviations/index.js';
import { FakeClock } from '../support/fake-clock.js';

const count = 400;
const headers = { 'x-service-agents-api-key': '', 'content-type': 'application/json' };

/** Reads the same unknown execution many times. */
async function statusesOf(replicas: number | undefined, seed = 1): Promise<number[]> {
  const service = createReference({
    seed,
    ...(replicas !== undefined && { replicas }),
    faults: ['getExecution-of-nothing-is-400'],
  });
  const url = `${service.fixtures.baseUrl}/agents/v2/executions/00000000-0000-4000-8000-00000000ffff`;
  const ask = { headers: { ...headers, 'x-service-agents-api-key': service.fixtures.apiKeys.primary ?? '' } };
  const statuses: number[] = [];
  for (let nth = 0; nth < count; nth += 1) statuses.push((await service.fetch(url, ask)).status);
  await service.close();
  return statuses;
}

it.each([
  [undefined, 1],
  [1, 1],
  [2, 1 / 2],
  [4, 1 / 4],
  [20, 1 / 20],
])('of %s replicas a fault is in one', async (replicas, share) => {
  const faulty = (await statusesOf(replicas)).filter((status) => status === 400).length;
  expect(faulty / count).toBeGreaterThan(share * 0.6);
  expect(faulty / count).toBeLessThan(Math.min(1.01, share * 1.6));
});

it('with the same seed the same requests meet the same replicas', async () => {
  expect(await statusesOf(2, 7)).toEqual(await statusesOf(2, 7));
  expect(await statusesOf(2, 7)).not.toEqual(await statusesOf(2, 8));
});

it('replicas have one store, and all but the first give a reading again for a second', async () => {
  const clock = new FakeClock(Date.UTC(2026, 2, 2, 9));
  const service = createReference({ seed: 1, replicas: 2, clock, speed: 5 });
  const { baseUrl, apiKeys, workflows } = service.fixtures;
  const key = apiKeys.primary ?? '';
  const started = await service.fetch(`${baseUrl}/agents/v2/workflows/${workflows.completes}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: '{}',
  });
  const { executionId } = (await started.json()) as { executionId: string };
  const read = async () => {
    const url = `${baseUrl}/agents/v2/executions/${executionId}`;
    const answer = await service.fetch(url, { headers: { 'x-service-agents-api-key': key } });
    return ((await answer.json()) as { status: string }).status;
  };
  const statuses = async () => [...new Set(await Promise.all(Array.from({ length: 40 }, read)))].toSorted();
  expect(await statuses()).toEqual(['starting']);
  await clock.advance(900);
  expect(await statuses()).toEqual(['completed', 'starting']);
  await clock.advance(200);
  expect(await statuses()).toEqual(['completed']);
});
