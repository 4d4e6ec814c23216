import { expect, test } from 'vitest';
import { lateRemarks } from '../../../../conformance/suite/executions/clocks.js';
import { gather } from '../../../../conformance/suite/views.js';
import { inOrder } from '../../../support/evidence.js';
import { another, reading, start } from '../../../support/runs.js';

const metadata = { a: 'b' };
const remarks = (...given: Parameters<typeof inOrder>[0]) => lateRemarks(gather(inOrder(given)));

test('a note reports how late a field appears, and in how many executions', () => {
  expect(
    remarks(
      start({ metadata }),
      reading('running', {}, { at: 5000 }),
      reading('running', { metadata }, { at: 5300 }),
      reading('completed', { metadata }, { at: 9000 }),
      reading('completed', { id: another.execution }, { resource: another.execution }),
    ),
  ).toEqual([
    'getExecution showed metadata late, by up to 300 ms in 1 of 2 executions. No verdict depends on it; callers have to read again.',
  ]);
});

test('a field that appears when it is due, or never, has no note', () => {
  expect(
    remarks(
      start({ metadata }),
      reading('queued'),
      reading('running', { metadata }),
      reading('completed', { metadata, duration: 3 }),
      reading('completed', { metadata, duration: 3, executionResult: null }),
    ),
  ).toEqual([]);
});
