import { expect, test } from 'vitest';
import { check } from '../../conformance/check.js';
import { VirtualClock } from '../../conformance/engine/send/clock.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference } from '../../deviations/index.js';
import { inProcess } from '../../proof/transport.js';
import { broken } from '../support/slowly.js';

/** Runs the suite twice on one service, from two machines: the second run begins later. */
async function twice(laterMs: number) {
  const clock = new VirtualClock();
  const service = createReference({ seed: 1, report: () => {}, latencyMs: 20, clock });
  const target = toTarget(service.fixtures);
  const transport = inProcess(service.fetch, clock);
  const run = async (seed: number, afterMs: number) => {
    await clock.sleep(afterMs);
    return check({ target, transport, clock, seed, secondPass: false });
  };
  const runs = await clock.run(Promise.all([run(1, 0), run(2, laterMs)]));
  await service.close();
  return runs;
}

test.each([0, 150])('two runs at once, the second after %i ms, violate no rule', async (laterMs) => {
  expect((await twice(laterMs)).map(broken)).toEqual([[], []]);
});

test('a run whose pool another one deletes violates no rule, and names the hook that makes a pool', async () => {
  const runs = await twice(700);
  expect(runs.map(broken)).toEqual([[], []]);
  const why = runs.flatMap(({ rules }) => rules.filter(({ id }) => id === 'key-refusal-does-nothing'));
  expect(why.map(({ verdict }) => verdict).toSorted()).toEqual(['inconclusive', 'passed']);
  expect(why.map((one) => one.why).join()).toContain('Set hooks.makePool');
});
