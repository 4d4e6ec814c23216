import { Refusal } from '../../reference/errors.js';
import { poolIds, profileIds, uuid, workflowIds } from '../../reference/fixtures.js';
import type { Run } from '../../reference/store.js';
import { isFields, showing } from '../change.js';
import type { Fault } from '../fault.js';

/** Runs of this kind leave their profile in use when they end. */
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
      // Asked once, when a run ends.
      failuresOf: (run, now) => {
        if (run.pool && run.profile && leaves(run, marked.has(run))) kept.add(run.profile.id);
        return base.failuresOf(run, now);
      },
      freeProfile: (pool, inUse) => base.freeProfile(pool, (profile) => inUse(profile) || kept.has(profile)),
    };
  },
});

/** What becomes of the capacity that runs take and leave. */
const roomFaults: readonly Fault[] = [
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
  {
    id: 'refused-starts-take-capacity',
    breaks: ['queued-starts-by-itself'],
    says: 'A start that is refused for want of capacity uses the group all the same, for ever.',
    behaviour: (base) => {
      const used = new Set<string>();
      return {
        overCapacity: (start, pool) => {
          if (pool) used.add(pool.id);
          return base.overCapacity(start, pool);
        },
        freeProfile: (pool, inUse) => (used.has(pool.id) ? undefined : base.freeProfile(pool, inUse)),
      };
    },
  },
  {
    id: 'starts-refused-for-want-of-room-wait',
    breaks: ['over-capacity-is-rejected'],
    says: 'A start that is refused for want of capacity waits all the same, and runs in its turn.',
    behaviour: (base) => {
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
  },
  {
    id: 'starts-refused-for-their-body-run',
    breaks: ['capacity-is-freed'],
    says: 'A start that is refused for its body runs all the same.',
    behaviour: (base) => {
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
  },
  {
    id: 'last-profile-is-given-twice',
    breaks: ['over-capacity-is-rejected'],
    says: 'The second of two starts that ask for a profile together gets one that is in use.',
    behaviour: (base) => {
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
  },
  {
    id: 'long-queues-are-newest-first',
    breaks: ['queue-is-oldest-first', 'over-capacity-is-queued'],
    says: 'Of three queued executions or more the newest starts first.',
    behaviour: (base) => ({
      nextQueued: (queue, hasCapacity) =>
        queue.length > 2 ? queue.findLast(hasCapacity) : base.nextQueued(queue, hasCapacity),
    }),
  },
  {
    id: 'who-brings-metadata-is-first',
    breaks: ['queue-is-oldest-first'],
    says: 'Of the queued those start first that were given metadata.',
    behaviour: (base) => ({
      nextQueued: (queue, hasCapacity) =>
        queue.filter(({ start }) => start.metadata).find(hasCapacity) ?? base.nextQueued(queue, hasCapacity),
    }),
  },
  {
    id: 'queue-ignores-capacity',
    breaks: ['over-capacity-is-queued', 'queued-starts-by-itself', 'group-profile-is-recorded'],
    says: 'Whatever is queued starts when any execution ends, with a profile or without.',
    behaviour: () => ({ nextQueued: (queue) => queue[0] }),
  },
  {
    id: 'newcomers-move-the-queue',
    breaks: ['queued-starts-by-itself'],
    says: 'What is queued starts with the next end of a run after another start, whatever that is.',
    behaviour: (base) => {
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
  },
  {
    id: 'calls-find-room-while-nobody-waits',
    breaks: ['over-capacity-is-rejected'],
    says: 'A synchronous start gets a profile that is in use as long as nothing waits.',
    behaviour: (base) => {
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
  },
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
  {
    id: 'newcomers-overtake-the-queue',
    breaks: ['queue-is-not-overtaken'],
    says: 'What is queued starts a while after capacity came free, and others may take it meanwhile.',
    behaviour: (base) => {
      let [passedOver, overtaken] = [false, false];
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
  },
  {
    id: 'deprecated-groups-are-never-queued',
    breaks: ['deprecated-fields-still-work'],
    says: 'A start with agentProfilePoolId and onCapacityLimit queue is refused.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        isFields(body) && body.onCapacityLimit === 'queue' && body.agentProfilePoolId !== undefined
          ? [{ kind: 'value', parameter: 'agentProfilePoolId', detail: 'cannot be queued' }]
          : base.violations(operation, body),
    }),
  },
];

/** What becomes of a start for which there is no capacity. */
export const capacityFaults: readonly Fault[] = [
  {
    id: 'capacity-is-endless',
    breaks: ['over-capacity-is-rejected', 'over-capacity-is-queued', 'queued-starts-by-itself'],
    says: 'A profile is given to any number of executions at the same time.',
    behaviour: () => ({ freeProfile: ({ profileIds }) => profileIds[0] }),
  },
  {
    id: 'waiting-is-the-default',
    breaks: ['queued-only-when-asked', 'over-capacity-is-rejected'],
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
    breaks: ['queued-only-when-asked', 'over-capacity-is-rejected', 'sync-takes-the-same-body'],
    says: 'A start with onCapacityLimit reject is queued when there is no capacity.',
    behaviour: (base) => ({
      readStart: (body) => ({ ...base.readStart(body), queue: body.onCapacityLimit !== undefined }),
    }),
  },
  {
    id: 'queue-is-rejected',
    breaks: ['over-capacity-is-queued'],
    says: 'A start with onCapacityLimit queue is refused when there is no capacity.',
    behaviour: (base) => ({
      // By the status of a service that is asked too often, which is one of capacity as well.
      admit: (hasCapacity, start) => {
        if (!hasCapacity && start.queue) throw new Refusal(429, 'There is no capacity.');
        return base.admit(hasCapacity, start);
      },
    }),
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
    breaks: ['over-capacity-is-queued', 'execution-is-readable-at-once', 'accepted-execution-is-readable'],
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
    breaks: ['queue-is-not-overtaken', 'queued-starts-by-itself'],
    says: 'No queued execution ever starts.',
    behaviour: () => ({ nextQueued: () => undefined }),
  },
  {
    id: 'queue-is-newest-first',
    breaks: ['queue-is-oldest-first', 'over-capacity-is-queued'],
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
  ...roomFaults,
];
