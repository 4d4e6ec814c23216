/** Services with other groups, latencies and options. */

import { poolIds, profileIds, uuid, workflowIds } from '../../../reference/fixtures.js';
import { changing } from '../../change.js';
import type { Declared, Variation } from '../../variation.js';
import { asking } from './between.js';
import { colleague } from './tempo.js';

type Pace = NonNullable<Declared['pace']>;

/** A capacity group of this size. Its profiles are the last ones that the other group selects. */
const groupOf = (size: number, word: string, { speed = 1, ...pace }: Pace & { readonly speed?: number } = {}) => {
  const profiles = Array.from({ length: size }, (_, n) => uuid('b', profileIds.spare + profileIds.spares - 1 - n));
  const id = `group-of-${word}`;
  return {
    id,
    options: {
      speed,
      faults: [
        {
          id,
          behaviour: changing('selectPool', (pool) =>
            pool?.id === poolIds.held ? { ...pool, profileIds: profiles } : pool,
          ),
        },
      ],
    },
    declared: { capacity: { profileGroup: poolIds.held, size, workflow: workflowIds.holds }, pace },
  } satisfies Variation;
};

/** From three seconds on, somebody else uses a profile of the group that may be filled, and does not stop. */
function sharedGroup(size: number, word: string): Variation {
  const { options, declared } = groupOf(size, word);
  return {
    id: `shared-group-of-${word}`,
    options: { ...options, workflows: [colleague] },
    gateway: (service, clock) => {
      const from = clock.now() + 3000;
      let isTaken = false;
      return async (request) => {
        if (!isTaken && clock.now() > from) {
          const ask = { profileGroupId: poolIds.held };
          isTaken = (await asking(service, request, 'POST', `/workflows/${colleague.id}/execute`, ask)).ok;
        }
        return service(request);
      };
    },
    declared,
    open: true,
  };
}

export const surroundingVariations: readonly Variation[] = [
  groupOf(2, 'two'),
  groupOf(3, 'three', { speed: 0.36, requestsPerSecond: 50 }),
  // Filling it and asking for more takes longer than a second.
  {
    ...groupOf(4, 'four', { requestsPerSecond: 30 }),
    untested: ['queue-is-oldest-first', 'queue-is-not-overtaken'],
  },
  sharedGroup(2, 'two'),
  sharedGroup(3, 'three'),
  { id: 'one-request-at-a-time', declared: { pace: { concurrency: 1 } } },
  {
    id: 'three-seconds-away',
    options: { latencyMs: 3000, speed: 0.2 },
    untested: ['queue-is-not-overtaken', 'live-view-not-before-start'],
  },
  { id: 'no-executions', declared: { budget: { executions: 0 } }, untested: 'any' },
  {
    id: 'unknown-hard-timeout',
    declared: { undeclared: ['agentHardTimeoutMins'] },
    untested: ['soft-timeout-below-hard-timeout'],
  },
  // The target file names no group but the one to be filled.
  { id: 'one-group', declared: { undeclared: ['profileGroup'] } },
  { id: 'behind-a-gateway', options: { basePath: '/tenants/acme' } },
];
