/** Faults in how capacity is taken, freed and queued for. */

import { Refusal } from '../../reference/errors.js';
import type { Run } from '../../reference/store.js';
import { changing, failing, ifFull, isFields, refusing, roomField } from '../change.js';
import { breaking, type Fault } from '../fault.js';

/** Runs of this kind keep their profile in use after they have ended. */
const keepsProfile = (
  id: string,
  says: string,
  breaks: Fault['breaks'],
  watch: (base: Parameters<Fault['behaviour']>[0], mark: (run: Run) => void) => ReturnType<Fault['behaviour']>,
  leaves: (run: Run, marked: boolean) => boolean,
): Fault => ({
  id,
  says,
  breaks,
  behaviour: (base) => {
    const marked = new Set<Run>();
    const kept = new Set<string>();
    return {
      ...watch(base, (run) => marked.add(run)),
      // This is called once, when a run ends.
      failuresOf: (run, now) => {
        if (run.pool && run.profile && leaves(run, marked.has(run))) kept.add(run.profile.id);
        return base.failuresOf(run, now);
      },
      freeProfile: (pool, inUse) => base.freeProfile(pool, (profile) => inUse(profile) || kept.has(profile)),
    };
  },
});

/** Starts certain queued runs before all others. */
const queuesFirst = (id: string, says: string, isFirst: (run: Run) => boolean): Fault => ({
  id,
  breaks: ['queue-is-oldest-first'],
  says,
  behaviour: (base) => ({
    nextQueued: (queue, hasCapacity) => queue.filter(isFirst).find(hasCapacity) ?? base.nextQueued(queue, hasCapacity),
  }),
});

const refusesToQueue = (id: string, says: string, is: (start: Run['start']) => boolean): Fault => ({
  id,
  breaks: ['over-capacity-is-queued'],
  says,
  behaviour: changing('admit', (admission, _hasCapacity, start) =>
    admission === 'queue' && is(start) ? 'reject' : admission,
  ),
});

export const capacityFaults: readonly Fault[] = [
  ...breaking('over-capacity-is-queued', {
    'queue-ignores-capacity': [
      'Whatever is queued starts when any execution ends, with a profile or without.',
      () => ({ nextQueued: (queue) => queue[0] }),
      'queued-starts-by-itself',
      'group-profile-is-recorded',
    ],
    'queue-is-rejected': [
      'A start with onCapacityLimit queue is refused when there is no capacity.',
      // 429 is the status of rate limits and of capacity alike.
      failing(
        'admit',
        (hasCapacity, start) => !hasCapacity && start.queue && new Refusal(429, 'There is no capacity.'),
      ),
    ],
    'sync-is-never-queued': [
      'A synchronous start with onCapacityLimit queue is refused.',
      refusing(roomField, (body, operation) => operation === 'executeSync' && ifFull(body) === 'queue'),
      'sync-takes-the-same-body',
    ],
    'queued-is-called-starting': [
      'A start that is queued is answered as starting.',
      () => ({ initialStatus: () => 'starting' }),
    ],
    'queued-executions-are-hidden': [
      'An execution cannot be read while it is queued.',
      changing('findRun', (run) => (run?.status === 'queued' ? undefined : run)),
      'execution-is-readable-at-once',
      'accepted-execution-is-readable',
    ],
  }),
  refusesToQueue('the-head-is-not-queued', 'The head is refused where others are queued.', ({ head }) => head),
  refusesToQueue(
    'who-brings-nothing-is-not-queued',
    'What has no inputs is refused where others are queued.',
    ({ inputs }) => !inputs,
  ),
  keepsProfile(
    'failed-runs-keep-their-profile',
    'A run that fails leaves its profile in use.',
    ['queued-starts-by-itself'],
    () => ({}),
    ({ status }) => status === 'failed',
  ),
  keepsProfile(
    'cancelled-runs-keep-their-profile',
    'A run that is cancelled leaves its profile in use.',
    ['queued-starts-by-itself'],
    () => ({}),
    ({ status }) => status === 'cancelled',
  ),
  ...breaking('queued-starts-by-itself', {
    'refused-starts-take-capacity': [
      'A start that is refused for want of capacity uses the group all the same, for ever.',
      (base) => {
        const used = new Set<string>();
        return {
          overCapacity: (start, pool) => {
            if (pool) used.add(pool.id);
            return base.overCapacity(start, pool);
          },
          freeProfile: (pool, inUse) => (used.has(pool.id) ? undefined : base.freeProfile(pool, inUse)),
        };
      },
    ],
    'newcomers-move-the-queue': [
      'What is queued starts with the next end of a run after another start, whatever that is.',
      (base) => {
        let [passedOver, moves] = [false, false];
        return {
          nextQueued: (queue, hasCapacity) => {
            const next = base.nextQueued(queue, hasCapacity);
            passedOver = next !== undefined && !moves;
            moves &&= next === undefined;
            return passedOver ? undefined : next;
          },
          readStart: (body) => {
            moves ||= passedOver;
            return base.readStart(body);
          },
          admit: (hasCapacity, start) =>
            base.admit(hasCapacity && !((passedOver || moves) && start.poolId !== undefined), start),
        };
      },
    ],
    'refused-starts-count': [
      'A start that is refused for a temp file counts among those of its group.',
      (base) => {
        let poolId: string | undefined;
        return {
          readStart: (body) => {
            const start = base.readStart(body);
            poolId = start.poolId;
            return start;
          },
          findTempFile: (organization, file) => {
            const found = base.findTempFile(organization, file);
            const [profileId] = (!found && organization.pools.get(poolId ?? '')?.profileIds) || [];
            const { profilesInUse } = organization;
            if (profileId !== undefined) profilesInUse.set(profileId, (profilesInUse.get(profileId) ?? 0) + 1);
            return found;
          },
        };
      },
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
    'queue-is-by-workflow': [
      'Queued executions start in the order of their workflows.',
      (base) => ({
        nextQueued: (queue, hasCapacity) =>
          base.nextQueued(
            queue.toSorted((a, b) => a.workflow.id.localeCompare(b.workflow.id)),
            hasCapacity,
          ),
      }),
    ],
    'queue-is-newest-first': [
      'Of the queued executions the newest starts first.',
      () => ({ nextQueued: (queue, hasCapacity) => queue.findLast(hasCapacity) }),
      'over-capacity-is-queued',
    ],
  }),
  queuesFirst(
    'who-brings-metadata-is-first',
    'Of the queued those start first that were given metadata.',
    ({ start }) => start.metadata !== undefined,
  ),
  queuesFirst(
    'who-brings-no-metadata-is-first',
    'Of the queued those start first that were given no metadata.',
    ({ start }) => !start.metadata,
  ),
  queuesFirst('the-head-is-first', 'Of the queued the head starts first.', ({ start }) => start.head),
  queuesFirst('the-head-is-last', 'Of the queued the head starts last.', ({ start }) => !start.head),
  queuesFirst(
    'who-brings-inputs-is-first',
    'Of the queued those start first that were given inputs.',
    ({ start }) => start.inputs !== undefined,
  ),
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
  keepsProfile(
    'outlasting-runs-keep-their-profile',
    'A run that outlasts its synchronous call leaves its profile in use.',
    ['capacity-is-freed'],
    (base, mark) => ({
      presentSync: (run) => {
        const answer = base.presentSync(run);
        if (answer.status === 202) mark(run);
        return answer;
      },
    }),
    (_, marked) => marked,
  ),
  ...breaking('capacity-is-freed', {
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
