import { expect, test } from 'vitest';
import { checkInProcess } from '../../../../proof/in-process.js';
import { usualRun } from '../../../support/usual-run.js';

test('an organization that runs one execution at a time gets few repeated requests', async () => {
  const free = await usualRun();
  const { requests } = await checkInProcess({ latencyMs: 20, limits: { concurrency: 1 } });
  expect(requests).toBeLessThan(free.requests * 1.5);
});
