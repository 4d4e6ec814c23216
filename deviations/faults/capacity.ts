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
      'Whatever is queued starts when any execution ends, with a profile or without.',
      () => ({ nextQueued: (queue) => queue[0] }),
      'queued-starts-by-itself',
      'group-profile-is-recorded',
    ],
    'queued-executions-are-hidden': [
      'An execution cannot be read while it is queued.',
      changing('findRun', (run) => (run?.status === 'queued' ? undefined : run)),
      'execution-is-readable-at-once',
      'accepted-execution-is-readable',
    ],
    'who-brings-nothing-is-not-queued': [
      'What has no inputs is refused where others are queued.',
      changing('admit', (admission, _hasCapacity, { inputs }) =>
        admission === 'queue' && !inputs ? 'reject' : admission,
      ),
    ],
  }),
  ...breaking('queue-is-oldest-first', {
    'long-queues-are-newest-first': [
      'Of three queued executions or more the newest starts first.',
      (base) => ({
        nextQueued: (queue, hasCapacity) =>
          queue.length > 2 ? queue.findLast(hasCapacity) : base.nextQueued(queue, hasCapacity),
      }),
      'over-capacity-is-queued',
    ],
    'the-second-of-three-is-first': [
      'Of three queued executions or more the second starts first.',
      (base) => ({
        nextQueued: (queue, hasCapacity) =>
          base.nextQueued(queue.length > 2 ? queue.slice(1, 2) : queue, hasCapacity) ??
          base.nextQueued(queue, hasCapacity),
      }),
    ],
    'queue-is-newest-first': [
      'Of the queued executions the newest starts first.',
      () => ({ nextQueued: (queue, hasCapacity) => queue.findLast(hasCapacity) }),
      'over-capacity-is-queued',
    ],
    'who-brings-metadata-is-first': [
      'Of the queued those start first that were given metadata.',
      queuesFirst(({ start }) => start.metadata !== undefined),
    ],
    'the-head-is-first': ['Of the queued the head starts first.', queuesFirst(({ start }) => start.head)],
    'the-head-is-last': ['Of the queued the head starts last.', queuesFirst(({ start }) => !start.head)],
  }),
  ...breaking('queue-is-not-overtaken', {
    'newcomers-overtake-the-queue': [
      'What is queued starts a while after capacity came free, and others may take it meanwhile.',
      (base) => {
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
    ],
    'queue-stands-still': [
      'No queued execution ever starts.',
      () => ({ nextQueued: () => undefined }),
      'queued-starts-by-itself',
    ],
  }),
  ...breaking('capacity-is-freed', {
    'outlasting-runs-keep-their-profile': [
      'A run that outlasts its synchronous call leaves its profile in use.',
      (base) => {
        const outlasting = new Set<Run>();
        const kept = new Set<string>();
        return {
          presentSync: (run) => {
            const answer = base.presentSync(run);
            if (answer.status === 202) outlasting.add(run);
            return answer;
          },
          // This is called once, when a run ends.
          failuresOf: (run, now) => {
            if (run.pool && run.profile && outlasting.has(run)) kept.add(run.profile.id);
            return base.failuresOf(run, now);
          },
          freeProfile: (pool, inUse) => base.freeProfile(pool, (profile) => inUse(profile) || kept.has(profile)),
        };
      },
    ],
    'starts-refused-for-their-body-run': [
      'A start that is refused for its body runs all the same.',
      (base) => {
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
    ],
  }),
];
