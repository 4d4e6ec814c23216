import type { Fault } from './fault.js';

/** What a start may ask for, and what becomes of it. */
export const startFaults: readonly Fault[] = [
  {
    id: 'head-with-version-is-taken',
    breaks: ['head-excludes-version'],
    says: 'head and version together are taken: the version runs.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        base
          .violations(operation, body)
          .filter(({ kind, parameter }) => kind !== 'exclusivity' || parameter !== 'version'),
    }),
  },
  {
    id: 'versions-are-not-looked-up',
    breaks: ['version-must-exist'],
    says: 'A version that does not exist is taken.',
    behaviour: () => ({ hasVersion: () => true }),
  },
  {
    id: 'queue-is-newest-first',
    breaks: ['queue-is-oldest-first'],
    says: 'Of the queued executions the newest starts first.',
    behaviour: () => ({ nextQueued: (queue, hasCapacity) => queue.findLast(hasCapacity) }),
  },
  {
    id: 'sync-waits-longer',
    breaks: ['sync-wait-is-bounded'],
    says: 'A synchronous start waits ten seconds longer than it was told.',
    behaviour: (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) + 10_000 }),
  },
];
