import { expect, test } from 'vitest';
import { shortestSequence } from '../../../../conformance/suite/explore/sequences.js';
import { inWords, type Step } from '../../../../conformance/suite/explore/steps.js';

const step = (n: number): Step => ({ kind: 'look', profile: `copy ${n}` });
const some = Array.from({ length: 9 }, (_, n) => step(n + 1));

test.each<[what: string, needed: readonly number[]]>([
  ['one step of many', [4]],
  ['the last step', [9]],
  ['two steps in their order, far apart', [1, 8]],
  ['neighbours', [5, 6]],
])('what is left is %s', async (_, needed) => {
  const found = await shortestSequence(
    some,
    async (steps) => needed.every((n) => steps.includes(some[n - 1] as Step)),
    500,
  );
  expect(found.map(inWords)).toEqual(needed.map((n) => inWords(step(n))));
});

test('it ends when the trials do, with the shortest so far', async () => {
  let trials = 0;
  const steps = Array.from({ length: 40 }, () => step(1));
  const found = await shortestSequence(
    steps,
    async (candidate) => {
      trials += 1;
      return candidate.length >= 20;
    },
    7,
  );
  expect(trials).toBe(7);
  expect(found.length).toBeLessThan(40);
  expect(found.length).toBeGreaterThanOrEqual(20);
});
