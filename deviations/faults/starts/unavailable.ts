import type { Pool } from '../../../reference/store.js';
import { breaking, type Fault } from '../../fault.js';

/** Faults with starts that need something deleted or in use. */
export const unavailableFaults: readonly Fault[] = [
  ...breaking('temp-files-are-never-queued', {
    'temp-files-are-queued': (base) => ({
      checkQueueing: () => undefined,
      admit: (hasCapacity, start) => base.admit(hasCapacity, { ...start, tempFiles: [] }),
    }),
  }),
  ...breaking('over-capacity-is-rejected', {
    // The second of two starts that ask for a profile together gets one that is in use.
    'last-profile-is-given-twice': [
      (base) => {
        const given = new Map<string, number>();
        return {
          freeProfile: (pool, inUse) => {
            const free = base.freeProfile(pool, inUse);
            const before = given.get(pool.id) ?? 0;
            given.set(pool.id, before + 1);
            return free ?? (before === 1 ? pool.profileIds[0] : undefined);
          },
        };
      },
      'group-profile-is-recorded',
    ],
  }),
  ...breaking('deleted-pool-cannot-run', {
    'deleted-pools-run-by-their-old-name': (base) => {
      const deleted = new Map<string, Pool>();
      let old = false;
      return {
        readStart: (body) => {
          old = body.agentProfilePoolId !== undefined;
          return base.readStart(body);
        },
        deletePool: (organization, pool) => {
          deleted.set(pool.id, pool);
          base.deletePool(organization, pool);
        },
        selectPool: (organization, id) => base.selectPool(organization, id) ?? (old ? deleted.get(id) : undefined),
      };
    },
  }),
];
