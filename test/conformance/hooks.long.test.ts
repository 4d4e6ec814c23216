import { expect, test } from 'vitest';
import { hooks, serviceWithOperator, verdicts } from '../support/operator.js';

test('ten runs with hooks judge the same rules, and leave no resources behind', async () => {
  const { run, things, remembered } = serviceWithOperator({ tempFile: undefined, hooks });
  const before = things();
  const first = await run();
  expect(first.remarks.filter((text) => text.includes('hooks.'))).toEqual([]);
  expect(verdicts(first)).toMatchObject({ 'pool-is-deleted': 'passed', 'duplicate-is-new': 'passed' });
  expect(first.leftBehind).toEqual([]);
  for (let day = 2; day <= 10; day += 1) {
    const next = await run({ seed: day });
    expect(verdicts(next), `day ${day}`).toEqual(verdicts(first));
    expect(next.leftBehind).toEqual([]);
  }
  // The initial pool of the service is not counted.
  expect(things()).toBe(before);
  expect(remembered()).toEqual([]);
}, 600_000);
