import { expect, test } from 'vitest';
import { waitMsIn, waitMsOf } from '../../../../conformance/engine/rule/times.js';
import { exchange } from '../../../support/evidence.js';

test.each<[unknown, number]>([
  [{ timeoutSeconds: 3 }, 3000],
  [{}, 25_000],
  [undefined, 25_000],
  [{ timeoutSeconds: 600 }, 25_000],
  [{ timeoutSeconds: -1 }, 25_000],
  // No number can be made of this.
  [{ timeoutSeconds: { toString: 1, valueOf: null } }, 25_000],
  [['timeoutSeconds'], 25_000],
])('a synchronous start with %j asks for a wait of %d ms', (body, want) => {
  expect(waitMsOf({ operation: 'executeSync', body })).toBe(want);
  expect(waitMsIn(exchange({ operation: 'executeSync', sent: body, status: 202, body: {} }))).toBe(want);
});

test('an operation without a wait asks for none', () => {
  expect(waitMsOf({ operation: 'execute', body: { timeoutSeconds: 3 } })).toBe(0);
  expect(waitMsOf({ operation: null })).toBe(0);
});
