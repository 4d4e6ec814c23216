import type { Fault, Hooks } from '../hooks.js';
import { type Call, type Execution, fieldsOf } from '../state.js';
import { faultsOf, hook, implied, isStart, isSync, lenient, refusing } from './make.js';

const queues = (call: Call) => call.body.onCapacityLimit === 'queue';
const oldName = (call: Call) => call.body.agentProfilePoolId !== undefined;
const refusedAs = (status: number, when: (call: Call) => boolean): Partial<Hooks> =>
  hook('answers', (a, c) => {
    if (!isStart(c) || a.status >= 300 || fieldsOf(a.body).status !== 'queued' || !when(c)) return;
    a.status = status;
    a.body = { code: status, message: 'All in use.' };
  });
const kept = (when: (e: Execution) => boolean): Partial<Hooks> => ({
  next: (waiting) => waiting.find((one) => !when(one)),
});

export const capacityFaults: readonly Fault[] = [
  ...faultsOf({
    // reject (default): the request fails.
    'capacity-without-end': { holds: (free, c) => free || !queues(c) },
    'capacity-without-end-sync': { holds: (free, c) => free || (isSync(c) && !queues(c)) },
    'capacity-without-end-async': { holds: (free, c) => free || (!isSync(c) && !queues(c)) },
    'capacity-without-end-by-word': { holds: (free, c) => free || c.body.onCapacityLimit === 'reject' },
    'capacity-without-end-by-default': { holds: (free, c) => free || c.body.onCapacityLimit === undefined },
    'capacity-without-end-by-old-name': implied({ holds: (free, c) => free || (oldName(c) && !queues(c)) }),
    'capacity-of-one-more': () => {
      let more = 0;
      return { holds: (free, c) => free || (!queues(c) && more++ === 0) };
    },
    'capacity-queues-by-default': lenient('capacity', undefined, (c) => c.body.onCapacityLimit === undefined),
    'capacity-queues-in-spite-of-reject': lenient('capacity', undefined, (c) => c.body.onCapacityLimit === 'reject'),
    'capacity-queues-by-default-sync': lenient('capacity', undefined, isSync),
    // queue: the execution is created as queued.
    'queue-starts-at-once': { holds: (free, c) => free || queues(c) },
    'queue-starts-at-once-sync': { holds: (free, c) => free || (queues(c) && isSync(c)) },
    'queue-starts-at-once-by-old-name': implied({ holds: (free, c) => free || (queues(c) && oldName(c)) }),
    'queue-refused-at-capacity-429': refusedAs(429, () => true),
    'queue-refused-at-capacity-409': refusedAs(409, () => true),
    'queue-refused-at-capacity-503': refusedAs(503, () => true),
    'queue-refused-at-capacity-sync': refusedAs(409, isSync),
    'queue-refused-at-capacity-sync-429': refusedAs(429, isSync),
    'queue-of-two': {
      answers: (a, c) => c.state.queue.length > 2 && refusedAs(409, () => true).answers?.(a, c),
    },
    'queue-of-one': {
      answers: (a, c) => c.state.queue.length > 1 && refusedAs(409, () => true).answers?.(a, c),
    },
    'queue-says-starting': {
      answers: (a, c) =>
        c.operation === 'execute' && fieldsOf(a.body).status === 'queued' && (fieldsOf(a.body).status = 'starting'),
    },
    // Execution exists under the returned id.
    'queue-without-id': {
      answers: (a, c) =>
        c.operation === 'execute' && fieldsOf(a.body).status === 'queued' && delete fieldsOf(a.body).executionId,
    },
    'queue-unknown-until-started': refusing(
      404,
      'Not found.',
      (c) => c.operation === 'getExecution' && c.state.queue.some((e) => e.id === c.id),
    ),
    // Starts automatically, oldest first, as capacity frees.
    'queue-never-starts': { next: () => undefined },
    'queue-first-never-starts': () => {
      let first: Execution | undefined;
      return { next: (waiting) => (first ??= waiting[0]) && waiting.find((one) => one !== first) };
    },
    'queue-sync-never-starts': kept((e) => e.sync),
    'queue-old-name-never-starts': kept((e) => e.asked.agentProfilePoolId !== undefined),
    'queue-newest-first': { next: (waiting) => waiting.at(-1) },
    'queue-second-first': { next: (waiting) => waiting[1] ?? waiting[0] },
    'queue-by-id': { next: (waiting) => waiting.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0] },
    'queue-sync-last': { next: (waiting) => waiting.find((one) => !one.sync) ?? waiting[0] },
    'queue-sync-first': { next: (waiting) => waiting.find((one) => one.sync) ?? waiting[0] },
    // Starts automatically.
    'queue-ends-as-failed': { steps: (to, e) => (e.waited ? 'failed' : to) },
    'queue-pauses': { steps: (to, e) => (e.waited ? 'paused' : to) },
    // The state after queued.
    'queue-back-in-queue': implied({ shows: (v, e) => e.waited && e.status === 'running' && (v.status = 'queued') }),
    // Condition: every profile in the pool in use.
    'queue-other-group-waits': { holds: (free, c) => free && !(queues(c) && c.state.queue.length > 0) },
    // queued only when at capacity.
    'group-free-says-queued': { holds: (free, c) => free && !queues(c) },
    // Capacity available: starting.
    'group-free-refused': () => {
      let n = 0;
      return { holds: (free, c) => free && (c.body.profileGroupId === undefined || queues(c) || ++n % 3 !== 0) };
    },
    // agentProfilePoolId: use profileGroupId.
    'old-group-holds-none': { holds: (free, c) => free && !oldName(c) },
    // 202: current status.
    'capacity-sync-queued-200': {
      answers: (a, c) => isSync(c) && fieldsOf(a.body).status === 'queued' && (a.status = 200),
    },
  }),
];
