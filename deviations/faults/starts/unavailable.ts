import type { Pool, Run } from '../../../reference/store.js';
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
    'starts-refused-for-want-of-room-wait': [
      (base) => {
        const refused = new WeakSet<Run['start']>();
        const refuse = ({ start, pool }: Run) => {
          if (refused.has(start)) throw base.overCapacity(start, pool);
        };
        return {
          admit: (hasCapacity, start) => {
            const admission = base.admit(hasCapacity, start);
            if (admission !== 'reject' || start.poolId === undefined || start.tempFiles.length > 0) return admission;
            refused.add(start);
            return 'queue';
          },
          endsWait: (run) => refused.has(run.start) || base.endsWait(run),
          presentStarted: (run, status) => {
            refuse(run);
            return base.presentStarted(run, status);
          },
          presentSync: (run) => {
            refuse(run);
            return base.presentSync(run);
          },
        };
      },
      'capacity-is-freed?',
    ],
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
