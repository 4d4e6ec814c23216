import { describe, expect, test } from 'vitest';
import { scripts } from '../../certify/scripts.js';
import { callers } from '../../generated/rules.js';
import { badCallers } from '../../proof/callers/bad-callers.js';
import { callerWith } from '../../proof/callers/habits.js';
import { playAll } from '../../proof/callers/matrix.js';
import { ownClient } from '../../proof/callers/own-client.js';

// Most of a script is waiting: several callers wait at the same time.
describe.concurrent.each([
  ['the client of this package', ownClient],
  ['a good caller without a library', callerWith()],
])('%s', (_, caller) => {
  test('passes every script at every rule', async () => {
    const { verdicts } = await playAll(caller);
    expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(verdicts).toHaveLength(callers.length);
  });
});

/** That each breaks what it declares, matrix.long.test.ts tells. */
describe('of the ways in which callers go wrong', () => {
  test('there are at least twenty, and each rule is broken by one at least', () => {
    expect(badCallers.length).toBeGreaterThanOrEqual(20);
    const broken = new Set(badCallers.flatMap(({ breaks }) => breaks));
    expect(callers.filter(({ id }) => !broken.has(id))).toEqual([]);
  });
});

test('every rule has a script that gives evidence for it', () => {
  const shown = new Set(scripts.flatMap(({ rules }) => rules));
  expect(callers.filter(({ id }) => !shown.has(id))).toEqual([]);
});
