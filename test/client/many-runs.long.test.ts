import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { together } from './support.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the heap that are still needed. */
const usedBytes = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

test('10,000 runs need no more memory than 5,000', async () => {
  const { clock, client, target } = together({ limits: { ended: 500, requests: 0 } });
  function* items() {
    for (let n = 0; n < 10_000; n += 1) yield { workflowId: target.workflows.completes, n };
  }
  const used: number[] = [];
  let ended = 0;
  let isOver = false;
  const all = (async () => {
    for await (const { execution } of client.runAll(items(), { concurrency: 50 })) {
      ended += execution?.status === 'completed' ? 1 : 0;
      if (ended % 1000 === 0) used.push(usedBytes());
    }
    isOver = true;
  })();
  while (!isOver) await clock.advance(1000);
  await all;
  expect(ended).toBe(10_000);
  // The least of each half: what others have in the same heap comes and goes, a leak stays. The first thousand are needed
  // to compile what runs often, and until the service has as many as it keeps. A run that stayed would take a kilobyte or more.
  const half = used.length / 2;
  expect(Math.min(...used.slice(half))).toBeLessThan(Math.min(...used.slice(1, half)) + 2 ** 22);
});
