import { expect, test } from 'vitest';
import { excluded } from '../../../../conformance/engine/outcome/excluded.js';
import { gather } from '../../../../conformance/suite/views.js';
import '../../../../conformance/suite/contract.js';
import { inOrder, type Sketch } from '../../../support/evidence.js';

const failed = (operation: Sketch['operation'], isRepeated: boolean, message = 'Internal Server Error'): Sketch => ({
  operation,
  status: 500,
  body: { message },
  mark: isRepeated ? { excluded: true } : {},
});
const reasons = (...sketches: readonly Sketch[]) =>
  excluded(gather(inOrder(sketches))).map(({ exchanges, reason }) => [exchanges.map(({ id }) => id), reason]);

test('an error that could not be sent again is excluded where two operations got it and not a second time', () => {
  const left = failed('duplicateProfile', false);
  const all = [failed('execute', true), failed('getExecution', true), left];
  expect(reasons(...all)).toEqual([[[3], expect.stringMatching(/^500 outside the contract .* #3\)/)]]);
  expect(reasons(failed('execute', true), failed('execute', true), left)).toEqual([]);
  expect(reasons(failed('execute', true), failed('getExecution', true, 'Out of memory'), left)).toEqual([]);
  const own = { ...left, body: { code: 500, message: 'Internal Server Error' } };
  expect(reasons(failed('execute', true), failed('getExecution', true), own)).toEqual([]);
});
