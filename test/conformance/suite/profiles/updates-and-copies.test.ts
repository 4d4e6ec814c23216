import { afterEach, expect, test } from 'vitest';
import { contract, describe, type Operation, type OperationId } from '../../../../conformance/engine/contract.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { updatesOf } from '../../../../conformance/suite/profiles/updates-and-copies.js';
import { exchange, ids } from '../../../support/evidence.js';

const today = contract();
afterEach(() => describe(today));

const profile = { id: ids.profile, name: 'n' };
const update = (id: number): Exchange =>
  exchange({
    operation: 'updateProfile',
    resource: ids.profile,
    status: 200,
    sent: { name: 'n' },
    body: profile,
    mark: {},
    id,
    at: id * 1000,
  });

/** Another operation on a profile, as a contract may have it, between two updates. */
function between(effect: Operation['effect'], status = 200) {
  const operation = 'ofTomorrow' as OperationId;
  describe({
    ...today,
    operations: { ...today.operations, [operation]: { ...today.operations.updateProfile, effect } },
  });
  const other = { ...update(2), operation, response: { ...update(2).response, status } } as Exchange;
  return updatesOf({ profileId: ids.profile, exchanges: [update(1), other, update(3)] });
}

test.each(['changes', 'ends'] as const)(
  'an operation that %s a profile is not an update, and the earlier state is unknown after it',
  (effect) => {
    const { updates, refusals } = between(effect);
    expect(updates.map(({ exchange: { id }, before }) => [id, before?.exchange.id])).toEqual([
      [1, undefined],
      [3, undefined],
    ]);
    expect(refusals).toEqual([]);
  },
);

test.each([
  ['reads it', 'reads', 200],
  ['would change it, and is refused', 'changes', 404],
] as const)('an operation that %s leaves a profile as it was', (_, effect, status) => {
  expect(between(effect, status).updates.map(({ before }) => before?.exchange.id)).toEqual([undefined, 1]);
});
