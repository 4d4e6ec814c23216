/** Faults in how capacity is taken, freed and queued for. */

import type { Run } from '../../reference/store.js';
import { changing, isFields } from '../change.js';
import { breaking, type Fault } from '../fault.js';

/** Starts certain queued runs before all others. */
const queuesFirst =
  (isFirst: (run: Run) => boolean): Fault['behaviour'] =>
  (base) => ({
    nextQueued: (queue, hasCapacity) => queue.filter(isFirst).find(hasCapacity) ?? base.nextQueued(queue, hasCapacity),
  });

export const capacityFaults: readonly Fault[] = [
  ...breaking('over-capacity-is-queued', {
    'queue-ignores-capacity': [
      () => ({ nextQueued: (queue) => queue[0] }),
      'queued-starts-by-itself',
      'group-profile-is-recorded',
    ],
    'queued-executions-are-hidden': [
      changing('findRun', (run) => (run?.status === 'queued' ? undefined : run)),
      'execution-is-readable-at-once',
      'accepted-execution-is-readable',
    ],
    'who-brings-nothing-is-not-queued': changing('admit', (admission, _hasCapacity, { inputs }) =>
      admission === 'queue' && !inputs ? 'reject' : admission,
    ),
  }),
  ...breaking('queue-is-oldest-first', {
    'long-queues-are-newest-first': [
      (base) => ({
        nextQueued: (queue, hasCapacity) =>
          queue.length > 2 ? queue.findLast(hasCapacity) : base.nextQueued(queue, hasCapacity),
      }),
      'over-capacity-is-queued',
    ],
    'the-second-of-three-is-first': (base) => ({
      nextQueued: (queue, hasCapacity) =>
        base.nextQueued(queue.length > 2 ? queue.slice(1, 2) : queue, hasCapacity) ??
        base.nextQueued(queue, hasCapacity),
    }),
    'queue-is-newest-first': [
      () => ({ nextQueued: (queue, hasCapacity) => queue.findLast(hasCapacity) }),
      'over-capacity-is-queued',
    ],
    'who-brings-metadata-is-first': queuesFirst(({ start }) => start.metadata !== undefined),
    'the-head-is-first': queuesFirst(({ start }) => start.head),
    'the-head-is-last': queuesFirst(({ start }) => !start.head),
  }),
  ...breaking('queue-is-not-overtaken', {
    'newcomers-overtake-the-queue': (base) => {
      let [passedOver, overtaken] = [false, false];
      // The queue stands until a start for a group has overtaken it.
      return {
        nextQueued: (queue, hasCapacity) => {
          const next = base.nextQueued(queue, hasCapacity);
          passedOver ||= next !== undefined;
          return overtaken ? next : undefined;
        },
        admit: (hasCapacity, start) => {
          overtaken ||= passedOver && hasCapacity && start.poolId !== undefined;
          return base.admit(hasCapacity, start);
        },
      };
    },
    'queue-stands-still': [() => ({ nextQueued: () => undefined }), 'queued-starts-by-itself'],
  }),
  ...breaking('capacity-is-freed', {
    'outlasting-runs-keep-their-profile': (base) => {
      const outlasting = new Set<Run>();
      const kept = new Set<string>();
      return {
        presentSync: (run) => {
          const answer = base.presentSync(run);
          if (answer.status === 202) outlasting.add(run);
          return answer;
        },
        failuresOf: (run, now) => {
          if (run.pool && run.profile && outlasting.has(run)) kept.add(run.profile.id);
          return base.failuresOf(run, now);
        },
        freeProfile: (pool, inUse) => base.freeProfile(pool, (profile) => inUse(profile) || kept.has(profile)),
      };
    },
    'starts-refused-for-their-body-run': (base) => {
      const wrong = new WeakSet<object>();
      return {
        violations: (operation, body) => {
          const found = base.violations(operation, body);
          const isOdd = isFields(body) && (operation === 'execute' || operation === 'executeSync');
          if (!isOdd || !found.every(({ kind, parameter }) => kind === 'exclusivity' || /soft/.test(parameter)))
            return found;
          if (found.length > 0) wrong.add(body);
          return [];
        },
        answer: (call, answer) =>
          isFields(call.body) && wrong.has(call.body)
            ? { ...answer, status: 400, body: { code: 400, message: 'The request is not valid.' } }
            : base.answer(call, answer),
      };
    },
  }),
];
