import { Refusal } from '../../reference/errors.js';
import { poolIds } from '../../reference/fixtures.js';
import type { Pool } from '../../reference/store.js';
import { answering } from '../change.js';
import { breaking, type Fault } from '../fault.js';

/** Faults in the deletion of pools. */
export const poolFaults: readonly Fault[] = [
  ...breaking('pool-is-deleted', {
    'pools-cannot-be-deleted': () => ({
      deletePool: () => {
        throw new Refusal(400, 'A pool that has profiles cannot be deleted.');
      },
    }),
    'pools-stay': [() => ({ deletePool: () => {} }), 'deleted-pool-is-gone', 'deleted-pool-cannot-run'],
    'deleted-pools-run': [
      (base) => {
        const deleted = new Map<string, Pool>();
        return {
          deletePool: (organization, pool) => {
            deleted.set(pool.id, pool);
            base.deletePool(organization, pool);
          },
          selectPool: (organization, id) => base.selectPool(organization, id) ?? deleted.get(id),
        };
      },
      'deleted-pool-cannot-run',
    ],
  }),
  // With a pool all of the organization go. The target file names none but those to be filled and deleted.
  {
    id: 'deleting-a-pool-deletes-all',
    breaks: ['pool-is-deleted', 'capacity-is-freed'],
    declared: { undeclared: ['profileGroup'] },
    behaviour: (base) => ({
      deletePool: (organization) => {
        for (const pool of [...organization.pools.values()]) base.deletePool(organization, pool);
      },
    }),
  },
  ...breaking('deleted-pool-is-gone', {
    'pools-are-deleted-twice': answering((answer, call) =>
      call.operation === 'deletePool' && call.id === poolIds.deletable && answer.status === 404
        ? { status: 204 }
        : answer,
    ),
  }),
];
