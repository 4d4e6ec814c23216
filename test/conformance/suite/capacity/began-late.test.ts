import { expect, test } from 'vitest';
import { beganLate } from '../../../../conformance/suite/capacity/queue.js';
import { gather } from '../../../../conformance/suite/views.js';
import { inOrder, type Sketch } from '../../../support/evidence.js';
import { group, reading, start } from '../../../support/runs.js';

const hold = '00000000-0000-4000-8000-0000000000e0';
const waiting = '00000000-0000-4000-8000-0000000000e1';
const time = (seconds: number) => new Date(Date.UTC(2026, 2, 2, 12, 0, 0) + seconds * 1000).toISOString();
const ended = (id: string, from: number, to: number): Sketch =>
  reading('completed', { id, createdAt: time(from), terminalAt: time(to) }, { resource: id });

/** The holder runs for two seconds; the other one waits for it, and ends then. */
const evidence = (end: number, more: object = { onCapacityLimit: 'queue' }) =>
  gather(
    inOrder([
      start({ profileGroupId: group }, { body: { executionId: hold, status: 'starting' } }),
      start({ profileGroupId: group, ...more }, { body: { executionId: waiting, status: 'queued' } }),
      ended(hold, 0, 2),
      ended(waiting, 0.1, end),
    ]),
  );

test.each([
  [4, false],
  [4.4, false],
  [4.6, true],
])('a start that waits for one of two seconds until 2, and ends at %d, began late: %s', (end, isLate) => {
  expect(beganLate(evidence(end), group)).toBe(isLate);
});

test('a start that waits for another group is not late', () => {
  expect(beganLate(evidence(9), waiting)).toBe(false);
});
