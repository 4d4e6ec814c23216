import { Refusal } from '../../reference/errors.js';
import { poolIds } from '../../reference/fixtures.js';
import type { Organization, Pool } from '../../reference/store.js';
import { answering, restated } from '../change.js';
import type { Fault } from '../fault.js';

const isDeleted = (id: string) => id === poolIds.deletable;

/** What becomes of a pool that is deleted. */
export const poolFaults: readonly Fault[] = [
  {
    id: 'pools-cannot-be-deleted',
    breaks: ['pool-is-deleted'],
    says: 'Deleting a pool is refused.',
    behaviour: () => ({
      deletePool: () => {
        throw new Refusal(400, 'A pool that has profiles cannot be deleted.');
      },
    }),
  },
  {
    id: 'pools-stay',
    breaks: ['pool-is-deleted', 'deleted-pool-is-gone', 'deleted-pool-cannot-run'],
    says: 'Deleting a pool is answered, and not done.',
    behaviour: () => ({ deletePool: () => {} }),
  },
  {
    id: 'pools-are-deleted-twice',
    breaks: ['deleted-pool-is-gone'],
    says: 'Deleting a pool again is answered as done.',
    behaviour: answering((answer, call) =>
      call.operation === 'deletePool' && isDeleted(call.id) && answer.status === 404 ? { status: 204 } : answer,
    ),
  },
  {
    id: 'deleting-any-pool-is-done',
    breaks: ['unknown-pool-is-404', 'deleted-pool-is-gone'],
    says: 'Deleting a pool that is not there is answered as done.',
    behaviour: answering((answer, { operation }) =>
      operation === 'deletePool' && answer.status === 404 ? { status: 204 } : answer,
    ),
  },
  {
    id: 'deleted-pools-run',
    breaks: ['pool-is-deleted', 'deleted-pool-cannot-run'],
    says: 'A deleted pool supplies profiles as before.',
    behaviour: (base) => {
      const deleted = new Map<string, Pool>();
      return {
        deletePool: (organization, pool) => {
          deleted.set(pool.id, pool);
          base.deletePool(organization, pool);
        },
        selectPool: (organization, id) => base.selectPool(organization, id) ?? deleted.get(id),
      };
    },
  },
  {
    id: 'deleted-pools-run-by-their-old-name',
    breaks: ['deleted-pool-cannot-run'],
    says: 'A deleted pool supplies profiles to a start that asks for it as agentProfilePoolId.',
    behaviour: (base) => {
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
  },
  {
    id: 'refused-deletions-are-done',
    breaks: ['key-refusal-does-nothing'],
    says: 'A pool is deleted by a request that is refused for its key.',
    behaviour: (base) => {
      let organization: Organization | undefined;
      return {
        selectPool: (of, id) => {
          organization = of;
          return base.selectPool(of, id);
        },
        answer: (call, answer) => {
          const pool = isDeleted(call.id) && [401, 403].includes(answer.status) && organization?.pools.get(call.id);
          if (pool && organization && call.operation === 'deletePool') base.deletePool(organization, pool);
          return base.answer(call, answer);
        },
      };
    },
  },
  {
    id: 'deleting-a-pool-deletes-its-profiles',
    breaks: ['pool-is-deleted'],
    says: 'With a pool the profiles in it are deleted.',
    behaviour: (base) => ({
      deletePool: (organization, pool) => {
        for (const id of pool.profileIds) organization.profiles.delete(id);
        base.deletePool(organization, pool);
      },
    }),
  },
  {
    id: 'deleting-a-pool-deletes-the-first-one',
    breaks: ['pool-is-deleted'],
    says: 'With a pool the first pool of the organization is deleted.',
    behaviour: (base) => ({
      deletePool: (organization, pool) => {
        const [first] = organization.pools.values();
        if (first) base.deletePool(organization, first);
        base.deletePool(organization, pool);
      },
    }),
  },
  {
    id: 'deleting-a-pool-deletes-all',
    breaks: ['pool-is-deleted', 'capacity-is-freed'],
    says: 'With a pool all pools of the organization are deleted. The target file names none but those to be filled and deleted.',
    declared: { undeclared: ['profileGroup'] },
    behaviour: (base) => ({
      deletePool: (organization) => {
        for (const pool of [...organization.pools.values()]) base.deletePool(organization, pool);
      },
    }),
  },
  {
    id: 'gone-pools-need-no-key',
    breaks: ['missing-key-is-401', 'invalid-key-is-401'],
    says: 'That a pool is gone is told without a key.',
    behaviour: (base) => {
      const gone = new Set<string>();
      return {
        deletePool: (organization, pool) => {
          gone.add(pool.id);
          base.deletePool(organization, pool);
        },
        answer: (call, answer) =>
          base.answer(
            call,
            call.operation === 'deletePool' && gone.has(call.id) && answer.status === 401
              ? restated(answer, 404)
              : answer,
          ),
      };
    },
  },
];
