import { isFields, showing } from '../change.js';
import type { Fault } from '../fault.js';

/** What becomes of a start for which there is no capacity. */
export const capacityFaults: readonly Fault[] = [
  {
    id: 'capacity-is-endless',
    breaks: ['over-capacity-is-rejected', 'over-capacity-is-queued'],
    says: 'A profile is given to any number of executions at the same time.',
    behaviour: () => ({ freeProfile: ({ profileIds }) => profileIds[0] }),
  },
  {
    id: 'waiting-is-the-default',
    breaks: ['over-capacity-is-rejected', 'queued-only-when-asked'],
    says: 'A start that says nothing of capacity is queued when there is none.',
    behaviour: (base) => ({
      readStart: (body) => ({
        ...base.readStart(body),
        queue: body.onCapacityLimit === 'queue' || (body.onCapacityLimit === undefined && body.tempFiles === undefined),
      }),
    }),
  },
  {
    id: 'reject-is-queued',
    breaks: ['over-capacity-is-rejected', 'queued-only-when-asked'],
    says: 'A start with onCapacityLimit reject is queued when there is no capacity.',
    behaviour: (base) => ({
      readStart: (body) => ({ ...base.readStart(body), queue: body.onCapacityLimit !== undefined }),
    }),
  },
  {
    id: 'queue-is-rejected',
    breaks: ['over-capacity-is-queued'],
    says: 'A start with onCapacityLimit queue is refused when there is no capacity.',
    behaviour: () => ({ admit: (hasCapacity) => (hasCapacity ? 'start' : 'reject') }),
  },
  {
    id: 'sync-is-never-queued',
    breaks: ['over-capacity-is-queued', 'sync-takes-the-same-body'],
    says: 'A synchronous start with onCapacityLimit queue is refused.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        operation === 'executeSync' && isFields(body) && body.onCapacityLimit === 'queue'
          ? [{ kind: 'value', parameter: 'onCapacityLimit', detail: 'cannot be queue' }]
          : base.violations(operation, body),
    }),
  },
  {
    id: 'queued-is-called-starting',
    breaks: ['over-capacity-is-queued'],
    says: 'A start that is queued is answered as starting.',
    behaviour: () => ({ initialStatus: () => 'starting' }),
  },
  {
    id: 'queued-executions-are-hidden',
    breaks: ['over-capacity-is-queued', 'execution-is-readable-at-once', 'sync-202-keeps-running'],
    says: 'An execution cannot be read while it is queued.',
    behaviour: (base) => ({
      findRun: (organization, id) => {
        const run = base.findRun(organization, id);
        return run?.status === 'queued' ? undefined : run;
      },
    }),
  },
  {
    id: 'queue-stands-still',
    breaks: ['queued-starts-by-itself', 'execution-progresses', 'sync-202-keeps-running'],
    says: 'No queued execution ever starts.',
    behaviour: () => ({ nextQueued: () => undefined }),
  },
  {
    id: 'queue-is-newest-first',
    breaks: ['queue-is-oldest-first'],
    says: 'Of the queued executions the newest starts first.',
    behaviour: () => ({ nextQueued: (queue, hasCapacity) => queue.findLast(hasCapacity) }),
  },
  {
    id: 'queued-executions-fail',
    breaks: ['execution-progresses'],
    says: 'A queued execution fails when its turn comes.',
    behaviour: (base) => ({
      stepsOf: (run) => (run.status === 'queued' ? [{ status: 'failed' }] : base.stepsOf(run)),
    }),
  },
  {
    id: 'temp-files-are-queued',
    breaks: ['temp-files-are-never-queued'],
    says: 'A start with temp files is queued when there is no capacity.',
    behaviour: (base) => ({
      checkQueueing: () => undefined,
      admit: (hasCapacity, start) => base.admit(hasCapacity, { ...start, tempFiles: [] }),
    }),
  },
  {
    id: 'queued-executions-show-a-live-view',
    breaks: ['live-view-not-before-start'],
    says: 'A queued execution has a liveViewUrl.',
    behaviour: showing((one) =>
      one.status === 'queued' ? { ...one, liveViewUrl: `https://live.example.com/${one.id}` } : one,
    ),
  },
];
