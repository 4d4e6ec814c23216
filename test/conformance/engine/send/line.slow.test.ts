import { expect, test } from 'vitest';
import { checkInProcess } from '../../../../proof/in-process.js';

const free = checkInProcess({ latencyMs: 20 });

test.each([1, 2])('an organization that runs %i at a time is asked no more than it can answer', async (concurrency) => {
  const { requests } = await checkInProcess({ latencyMs: 20, limits: { concurrency } });
  expect(requests).toBeLessThan((await free).requests * 1.5);
});
