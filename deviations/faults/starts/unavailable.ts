import { poolIds, profileIds, uuid, workflowIds } from '../../../reference/fixtures.js';
import type { Pool, Run } from '../../../reference/store.js';
import { ifFull, isFields } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

/** Faults with starts that need something deleted or in use. */
export const unavailableFaults: readonly Fault[] = [
  ...breaking('temp-files-are-never-queued', {
    'temp-files-are-queued': [
      'A start with temp files is queued when there is no capacity.',
      (base) => ({
        checkQueueing: () => undefined,
        admit: (hasCapacity, start) => base.admit(hasCapacity, { ...start, tempFiles: [] }),
      }),
    ],
  }),
  ...breaking('over-capacity-is-rejected', {
    'versions-know-no-limit': [
      'A start of a version runs whatever the group has.',
      (base) => ({
        admit: (hasCapacity, start) => base.admit(hasCapacity || start.version !== undefined, start),
      }),
    ],
    'starts-refused-for-want-of-room-wait': [
      'A start that is refused for want of capacity waits all the same, and runs in its turn.',
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
    ],
    'last-profile-is-given-twice': [
      'The second of two starts that ask for a profile together gets one that is in use.',
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
    ],
    'calls-find-room-while-nobody-waits': [
      'A synchronous start gets a profile that is in use as long as nothing waits.',
      (base) => {
        let [isCall, waits] = [false, false];
        return {
          violations: (operation, body) => {
            isCall = operation === 'executeSync';
            return base.violations(operation, body);
          },
          freeProfile: (pool, inUse) =>
            base.freeProfile(pool, inUse) ?? (isCall && !waits ? pool.profileIds[0] : undefined),
          admit: (hasCapacity, start) => {
            const admission = base.admit(hasCapacity, start);
            waits ||= admission === 'queue';
            return admission;
          },
        };
      },
    ],
    'capacity-is-endless': [
      'A profile is given to any number of executions at the same time.',
      () => ({ freeProfile: ({ profileIds }) => profileIds[0] }),
      'over-capacity-is-queued',
      'queued-starts-by-itself',
    ],
    'who-is-waited-for-holds-nothing': [
      'A synchronous start leaves its profile to others while it runs.',
      (base) => {
        const calls = new WeakSet<object>();
        let isCall = false;
        return {
          violations: (operation, body) => {
            isCall = operation === 'executeSync';
            return base.violations(operation, body);
          },
          readStart: (body) => {
            const start = base.readStart(body);
            if (isCall) calls.add(start);
            return start;
          },
          stepsOf: (run) => {
            if (calls.has(run.start) && run.pool && run.profile) run.organization.profilesInUse.delete(run.profile.id);
            return base.stepsOf(run);
          },
        };
      },
    ],
    'who-waits-and-says-reject-finds-room': [
      'A synchronous start that says reject begins in a group that is full, and before what waits.',
      (base) => {
        let isSuch = false;
        return {
          violations: (operation, body) => {
            isSuch = operation === 'executeSync' && isFields(body) && ifFull(body) === 'reject';
            return base.violations(operation, body);
          },
          freeProfile: (pool, inUse) => base.freeProfile(pool, inUse) ?? (isSuch ? pool.profileIds[0] : undefined),
        };
      },
    ],
  }),
  {
    id: 'calls-leave-their-profile-to-others',
    breaks: ['over-capacity-is-rejected'],
    says: 'The group that may be filled has two profiles, and others get that of a run that is waited for.',
    declared: { capacity: { profileGroup: poolIds.held, size: 2, workflow: workflowIds.holds } },
    behaviour: (base) => {
      const ofCalls = new Set<string>();
      let isCall = false;
      return {
        selectPool: (organization, asked) => {
          const pool = base.selectPool(organization, asked);
          return pool?.id === poolIds.held
            ? { ...pool, profileIds: [...pool.profileIds, uuid('b', profileIds.spare)] }
            : pool;
        },
        violations: (operation, body) => {
          isCall = operation === 'executeSync';
          return base.violations(operation, body);
        },
        freeProfile: (pool, inUse) => {
          const free = base.freeProfile(pool, (id) => inUse(id) && !ofCalls.has(id));
          if (free !== undefined && isCall) ofCalls.add(free);
          else if (free !== undefined) ofCalls.delete(free);
          return free;
        },
      };
    },
  },
  ...breaking('deleted-pool-cannot-run', {
    'deleted-pools-run-by-their-old-name': [
      'A deleted pool supplies profiles to a start that asks for it as agentProfilePoolId.',
      (base) => {
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
    ],
  }),
];
