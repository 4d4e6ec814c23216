import type { Fault, Hooks } from '../hooks.js';
import { type Call, type Execution, fieldsOf } from '../state.js';
import { must, should } from './make.js';

const isStart = (call: Call) => call.operation === 'execute' || call.operation === 'executeSync';
const sync = (call: Call) => call.operation === 'executeSync';
const queues = (call: Call) => call.body.onCapacityLimit === 'queue';
const oldName = (call: Call) => call.body.agentProfilePoolId !== undefined;
const order = 'Starts automatically, oldest first, as capacity frees.';
const rejects = 'reject (default): the request fails.';
const queued = 'queue: the execution is created as queued.';
const refusedAs = (status: number, when: (call: Call) => boolean): Partial<Hooks> => ({
  answers: (a, c) => {
    if (!isStart(c) || a.status >= 300 || fieldsOf(a.body).status !== 'queued' || !when(c)) return;
    a.status = status;
    a.body = { code: status, message: 'All in use.' };
  },
});
const kept = (when: (e: Execution) => boolean): Partial<Hooks> => ({
  next: (waiting) => waiting.find((one) => !when(one)),
});

export const capacityFaults: readonly Fault[] = [
  must('capacity-without-end', rejects, { holds: (free, c) => free || !queues(c) }),
  must('capacity-without-end-sync', rejects, { holds: (free, c) => free || (sync(c) && !queues(c)) }),
  must('capacity-without-end-async', rejects, { holds: (free, c) => free || (!sync(c) && !queues(c)) }),
  must('capacity-without-end-by-word', rejects, { holds: (free, c) => free || c.body.onCapacityLimit === 'reject' }),
  must('capacity-without-end-by-default', rejects, {
    holds: (free, c) => free || c.body.onCapacityLimit === undefined,
  }),
  should('capacity-without-end-by-old-name', rejects, { holds: (free, c) => free || (oldName(c) && !queues(c)) }),
  must('capacity-of-one-more', rejects, () => {
    let more = 0;
    return { holds: (free, c) => free || (!queues(c) && more++ === 0) };
  }),
  must('capacity-queues-by-default', rejects, {
    refuses: (p, c) => !(p === 'capacity' && c.body.onCapacityLimit === undefined),
  }),
  must('capacity-queues-in-spite-of-reject', rejects, {
    refuses: (p, c) => !(p === 'capacity' && c.body.onCapacityLimit === 'reject'),
  }),
  must('capacity-queues-by-default-sync', rejects, { refuses: (p, c) => !(p === 'capacity' && sync(c)) }),
  must('queue-starts-at-once', queued, { holds: (free, c) => free || queues(c) }),
  must('queue-starts-at-once-sync', queued, { holds: (free, c) => free || (queues(c) && sync(c)) }),
  should('queue-starts-at-once-by-old-name', queued, { holds: (free, c) => free || (queues(c) && oldName(c)) }),
  must(
    'queue-refused-at-capacity-429',
    queued,
    refusedAs(429, () => true),
  ),
  must(
    'queue-refused-at-capacity-409',
    queued,
    refusedAs(409, () => true),
  ),
  must(
    'queue-refused-at-capacity-503',
    queued,
    refusedAs(503, () => true),
  ),
  must('queue-refused-at-capacity-sync', queued, refusedAs(409, sync)),
  must('queue-refused-at-capacity-sync-429', queued, refusedAs(429, sync)),
  must('queue-of-two', queued, {
    answers: (a, c) => void (c.state.queue.length > 2 && refusedAs(409, () => true).answers?.(a, c)),
  }),
  must('queue-of-one', queued, {
    answers: (a, c) => void (c.state.queue.length > 1 && refusedAs(409, () => true).answers?.(a, c)),
  }),
  must('queue-says-starting', queued, {
    answers: (a, c) =>
      void (
        c.operation === 'execute' &&
        fieldsOf(a.body).status === 'queued' &&
        (fieldsOf(a.body).status = 'starting')
      ),
  }),
  must('queue-without-id', 'Execution exists under the returned id.', {
    answers: (a, c) =>
      void (c.operation === 'execute' && fieldsOf(a.body).status === 'queued' && delete fieldsOf(a.body).executionId),
  }),
  must('queue-unknown-until-started', 'Execution exists under the returned id.', {
    answers: (a, c) =>
      void (
        c.operation === 'getExecution' &&
        c.state.queue.some((e) => e.id === c.id) &&
        Object.assign(a, { status: 404, body: { code: 404, message: 'Not found.' } })
      ),
  }),
  must('queue-never-starts', order, { next: () => undefined }),
  must('queue-first-never-starts', order, () => {
    let first: Execution | undefined;
    return { next: (waiting) => (first ??= waiting[0]) && waiting.find((one) => one !== first) };
  }),
  must(
    'queue-sync-never-starts',
    order,
    kept((e) => e.sync),
  ),
  must(
    'queue-old-name-never-starts',
    order,
    kept((e) => e.asked.agentProfilePoolId !== undefined),
  ),
  must('queue-newest-first', order, { next: (waiting) => waiting.at(-1) }),
  must('queue-second-first', order, { next: (waiting) => waiting[1] ?? waiting[0] }),
  must('queue-by-id', order, { next: (waiting) => waiting.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0] }),
  must('queue-sync-last', order, { next: (waiting) => waiting.find((one) => !one.sync) ?? waiting[0] }),
  must('queue-sync-first', order, { next: (waiting) => waiting.find((one) => one.sync) ?? waiting[0] }),
  must('queue-ends-as-failed', 'Starts automatically.', { steps: (to, e) => (e.waited ? 'failed' : to) }),
  must('queue-pauses', 'Starts automatically.', { steps: (to, e) => (e.waited ? 'paused' : to) }),
  should('queue-back-in-queue', 'The state after queued.', {
    shows: (v, e) => void (e.waited && e.status === 'running' && (v.status = 'queued')),
  }),
  must('queue-other-group-waits', 'Condition: every profile in the pool in use.', {
    holds: (free, c) => free && !(queues(c) && c.state.queue.length > 0),
  }),
  must('group-free-says-queued', 'queued only when at capacity.', { holds: (free, c) => free && !queues(c) }),
  must('group-free-refused', 'Capacity available: starting.', () => {
    let n = 0;
    return { holds: (free, c) => free && (c.body.profileGroupId === undefined || queues(c) || ++n % 3 !== 0) };
  }),
  must('old-group-holds-none', 'agentProfilePoolId: use profileGroupId.', { holds: (free, c) => free && !oldName(c) }),
  must('capacity-sync-queued-200', '202: current status.', {
    answers: (a, c) => void (sync(c) && fieldsOf(a.body).status === 'queued' && (a.status = 200)),
  }),
];
