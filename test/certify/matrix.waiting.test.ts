import { describe, expect, test } from 'vitest';
import { scripts } from '../../certify/scripts.js';
import { callers } from '../../generated/rules.js';
import { badCallers } from '../../proof/callers/bad-callers.js';
import { goodCallers } from '../../proof/callers/good-callers.js';
import { declaredOf, playAll, resultOf } from '../../proof/callers/matrix.js';

// Most of a script is waiting: several callers wait at the same time.
describe.concurrent('a good caller', () => {
  test.each(goodCallers.map((one) => [one.id, one] as const))('violates no rule: %s', async (_, one) => {
    expect(resultOf((await playAll(one.call)).verdicts)).toEqual(declaredOf(one));
  });

  test('passes every rule if it does each job with the request of that job', async () => {
    const whole = goodCallers.filter(({ id }) => ['own-client', 'without-a-library', 'guide-program'].includes(id));
    for (const { id, call } of whole) {
      const { verdicts } = await playAll(call);
      expect(verdicts.filter(({ verdict }) => verdict !== 'passed').map((one) => [id, one])).toEqual([]);
      expect(verdicts).toHaveLength(callers.length);
    }
  });
});

/** That each violates what it declares, matrix.long.test.ts tells. */
describe('the bad callers of these tests', () => {
  test('are at least twenty, and each rule is violated by one at least', () => {
    expect(badCallers.length).toBeGreaterThanOrEqual(20);
    const broken = new Set(badCallers.flatMap(({ breaks }) => breaks));
    expect(callers.filter(({ id }) => !broken.has(id))).toEqual([]);
  });
});

test('every rule has a situation with evidence for it', () => {
  const shown = new Set(scripts.flatMap(({ rules }) => rules));
  expect(callers.filter(({ id }) => !shown.has(id))).toEqual([]);
});
