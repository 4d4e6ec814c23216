import { expect, test } from 'vitest';
import { asks, asksToStart } from '../../deviations/change.js';
import { operationIds, operations } from '../../generated/operations.js';
import { ids } from '../support/evidence.js';

const requestOf = (id: (typeof operationIds)[number]) => ({
  method: operations[id].method,
  url: `http://127.0.0.1:4010/gateway${operations[id].path.replaceAll(/\{\w+\}/g, ids.pool)}?a=/b`,
});

test.each(operationIds)(
  'a request of %s is recognized by its method and path in the contract, and as no other',
  (id) => {
    const request = requestOf(id);
    expect(operationIds.filter((one) => asks(request, one))).toEqual([id]);
    expect(asks({ ...request, method: 'OPTIONS' }, id)).toBe(false);
    expect(asksToStart(request)).toBe(operations[id].effect === 'starts');
  },
);
