/** Services with other groups, latencies and options. */

import { poolIds, profileIds, uuid, workflowIds } from '../../../reference/fixtures.js';
import { asksToStart, changing } from '../../change.js';
import type { Declared, Variation } from '../../variation.js';
import { asking, wait } from './between.js';
import { colleague } from './tempo.js';

type Pace = NonNullable<Declared['pace']>;

/** A capacity group of this size. Its profiles are the last ones that the other group selects. */
const groupOf = (size: number, word: string, { speed = 1, ...pace }: Pace & { readonly speed?: number } = {}) => {
  const profiles = Array.from({ length: size }, (_, n) => uuid('b', profileIds.spare + profileIds.spares - 1 - n));
  const id = `group-of-${word}`;
  const says = `The group that may be filled has ${word} profiles.`;
  return {
    id,
    says,
    options: {
      speed,
      faults: [
        {
          id,
          says,
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
    says: `Somebody else takes one of the ${size === 1 ? 'profile' : `${word} profiles`} of the group that may be filled, and keeps it.`,
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
  groupOf(5, 'five'),
  sharedGroup(1, 'one'),
  sharedGroup(2, 'two'),
  sharedGroup(3, 'three'),
  { id: 'no-latency', says: 'Answers take no time.', options: { latencyMs: 0 } },
  { id: 'some-latency', says: 'Answers take a tenth of a second.', options: { latencyMs: 100 } },
  { id: 'half-speed', says: 'Runs take twice as long.', options: { speed: 0.5 } },
  {
    id: 'one-at-a-time',
    says: 'The organization may run one execution at a time.',
    options: { limits: { concurrency: 1 } },
  },
  {
    id: 'three-at-a-time',
    says: 'The organization may run three executions at a time.',
    options: { limits: { concurrency: 3 } },
  },
  {
    id: 'five-at-a-time',
    says: 'The organization may run five executions at a time.',
    options: { limits: { concurrency: 5 } },
  },
  {
    id: 'two-at-a-time',
    says: 'The organization may run two executions at a time, and runs take ten times as long.',
    options: { limits: { concurrency: 2 }, speed: 0.1 },
  },
  {
    id: 'two-at-a-time-told-of-requests',
    says: 'As two-at-a-time, and every answer tells how many requests are left.',
    options: { limits: { concurrency: 2 }, speed: 0.1, choices: { 'rate-limit-headers': 'x-ratelimit' } },
  },
  {
    id: 'one-request-at-a-time',
    says: 'One request is under way at a time.',
    declared: { pace: { concurrency: 1 } },
  },
  {
    id: 'short-holds',
    says: 'Runs hold a profile for no longer than 0.6 s.',
    options: { speed: 1.5 },
  },
  {
    id: 'twenty-requests-a-second',
    says: 'The target file allows twenty requests a second.',
    options: { speed: 0.5 },
    declared: { pace: { requestsPerSecond: 20 } },
  },
  {
    id: 'far-away',
    says: 'Answers take 0.4 s, and runs hold a profile for 2.5 s.',
    options: { latencyMs: 400, speed: 0.36 },
  },
  {
    id: 'three-seconds-away',
    says: 'Answers take three seconds, and runs hold a profile for four and a half.',
    options: { latencyMs: 3000, speed: 0.2 },
    untested: ['queue-is-not-overtaken', 'live-view-not-before-start'],
  },
  {
    id: 'four-seconds-away',
    says: 'Answers take four seconds, and runs hold a profile for twenty.',
    options: { latencyMs: 4000, speed: 0.04 },
  },
  {
    id: 'slow-starts',
    says: 'A start takes a second and a half before anything comes of it.',
    options: { speed: 0.2 },
    gateway: (service, clock) => async (request) => {
      if (asksToStart(request)) await wait(clock, 1500);
      return service(request);
    },
    declared: { pace: { latencyGraceMs: 2000 } },
  },
  { id: 'slow-runs', says: 'Runs take ten times as long.', options: { speed: 0.1 } },
  {
    id: 'no-executions',
    says: 'The target file allows no execution.',
    declared: { budget: { executions: 0 } },
    untested: 'any',
  },
  {
    id: 'five-executions',
    says: 'The target file allows five executions.',
    declared: { budget: { executions: 5 } },
    untested: 'any',
  },
  {
    id: 'twenty-five-executions',
    says: 'The target file allows twenty-five executions.',
    declared: { budget: { executions: 25 } },
    untested: 'any',
  },
  {
    id: 'unknown-hard-timeout',
    says: 'The target file does not tell the hard timeout of the agent.',
    declared: { undeclared: ['agentHardTimeoutMins'] },
    untested: ['soft-timeout-below-hard-timeout'],
  },
  {
    id: 'one-group',
    says: 'The target file names no group but the one to be filled.',
    declared: { undeclared: ['profileGroup'] },
  },
  {
    id: 'behind-a-gateway',
    says: 'The service has a path of its own before that of the interface.',
    options: { basePath: '/tenants/acme' },
  },
];
