import { describe, expect, test } from 'vitest';
import { contract, type OperationId, describe as tell } from '../../../../conformance/engine/contract.js';
import { beforeRemoval, removalsOf } from '../../../../conformance/engine/outcome/readings.js';
import { exchange, ids } from '../../../support/evidence.js';

const asked = (at: number, status: number) => exchange({ operation: 'deletePool', at, status, durationMs: 10 });

describe('of what was removed', () => {
  const [before, during, after] = [asked(0, 404), asked(100, 404), asked(500, 404)];
  const found = asked(600, 200);

  test.each([
    ['was taken', asked(105, 204), [before, found]],
    ['may have been taken', exchange({ operation: 'deletePool', at: 105 }), [before, found]],
    ['was refused', asked(105, 403), [before, during, after, found]],
    ['was of another', exchange({ operation: 'deletePool', resource: ids.profile, at: 105, status: 204 }), 'all'],
    ['only changed it', exchange({ operation: 'updateProfile', resource: ids.pool, at: 105, status: 200 }), 'all'],
  ])('it is no loss that it is not found, where what removes it %s', (_, removal, left) => {
    const all = [before, during, after, found];
    expect(beforeRemoval(all, removalsOf([removal], 'pool', ids.pool))).toEqual(left === 'all' ? all : left);
  });
});

test('it is no loss either where something ends many of its kind, by what its body names', () => {
  const today = contract();
  const operation = 'deletePools' as OperationId;
  const deletePools = { ...today.operations.deletePool, method: 'POST', subject: null, pathParameters: [] };
  tell({ ...today, operations: { ...today.operations, [operation]: deletePools } });
  try {
    const ended = { ...asked(105, 207), operation, resource: null };
    const all = [asked(0, 404), asked(500, 404)];
    expect(beforeRemoval(all, removalsOf([ended], 'pool', ids.pool))).toEqual([all[0]]);
    expect(removalsOf([ended], 'execution', ids.execution)).toEqual([]);
  } finally {
    tell(today);
  }
});
