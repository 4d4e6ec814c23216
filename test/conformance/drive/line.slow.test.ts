import { expect, test } from 'vitest';
import { checkInProcess } from '../../../proof/in-process.js';

test.each([1, 2, 3])(
  'an organization that runs %i at a time is asked no more than it can answer',
  async (concurrency) => {
    const free = await checkInProcess({ latencyMs: 20 });
    const { requests } = await checkInProcess({ latencyMs: 20, limits: { concurrency } });
    expect(requests).toBeLessThan(free.requests * 1.5);
  },
);
