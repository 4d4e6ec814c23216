import { expect, test } from 'vitest';
import { createReference } from '../../reference/index.js';
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

test('ten runs without hooks leave the resources of the first one, and report the rules that become untested', async () => {
  const { run, things } = serviceWithOperator({ pool: createReference().fixtures.pool });
  const first = await run();
  const left = things();
  for (let day = 2; day <= 10; day += 1) {
    const next = await run({ seed: day });
    const now = verdicts(next);
    const fewer = next.rules.filter(({ id, verdict }) => verdict !== verdicts(first)[id]);
    expect(things(), `day ${day}`).toBe(left);
    const [heldBack, pool, ...others] = next.remarks;
    expect(heldBack).toMatch(/^Not started: workflows\.pauses, .* hooks\.cancelExecution/);
    expect(pool).toContain('pool of the target file');
    expect(others).toEqual([]);
    expect(fewer.length).toBeLessThan(15);
    for (const { id, why } of fewer) {
      expect(now[id], id).toBe('untested');
      expect(why, id).toMatch(/budget\.copies|The pool does not exist \(any more\)/);
    }
  }
}, 600_000);
