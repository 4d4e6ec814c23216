import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Script } from '../../certify/script.js';
import { scripts } from '../../certify/scripts.js';
import { setStage } from '../../certify/stage.js';

const [script] = scripts as [Script];

test('a caller that reads without pauses gets slower answers in the end, because all requests are kept', async () => {
  const stage = await setStage(script, 1);
  const asked = async () => (await fetch(`${stage.url}/agents/v2/executions/${stage.executionId}`)).text();
  const lasts = async (times: number) => {
    const begun = performance.now();
    for (let turn = 0; turn < times; turn += 1) await asked();
    return performance.now() - begun;
  };
  try {
    await Promise.all(Array.from({ length: 10 }, () => lasts(100)));
    // Timers may be a little early.
    expect(await lasts(40)).toBeGreaterThan(40 * 9);
  } finally {
    await stage.close();
  }
});

test('a caller with a method that fetch does not know gets an answer', async () => {
  const stage = await setStage(script, 1);
  try {
    const status = await new Promise((resolve, reject) => {
      const asking = request(`${stage.url}/agents/v2/executions/${stage.executionId}`, { method: 'TRACE' });
      asking.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
      asking.end();
    });
    expect(status).toBe(405);
  } finally {
    await stage.close();
  }
});

test('a group that must be full is full also for a slow caller, and the first id is the announced one', async () => {
  const queued = scripts.find(({ id }) => id === 'queued') as Script;
  const stage = await setStage(queued, 1);
  try {
    // Longer than what fills the group holds it.
    await sleep(1500);
    const answer = await fetch(`${stage.url}/agents/v2/workflows/${stage.target.capacity.workflow}/execute`, {
      method: 'POST',
      headers: { 'X-Api-Key': stage.target.apiKeys.primary, 'Content-Type': 'application/json' },
      body: JSON.stringify(queued.request),
    });
    expect(await answer.json()).toEqual({ executionId: stage.executionId, status: 'queued' });
  } finally {
    await stage.close();
  }
});
