import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, sync as call, reading, recorded, start } from '../../../../support/runs.js';
import { ended, fault, lasting, refused, wait } from './sync.js';

const endless: Sketch = {
  operation: 'executeSync',
  sent: wait(1),
  durationMs: 14_000,
  failure: { kind: 'timeout', message: 'Gave up.' },
};

/** An asynchronous run that is running a moment after its start. */
const third = '00000000-0000-4000-8000-0000000000e3';
const soon = [
  start({}, { at: 1000, body: { executionId: third, status: 'starting' } }),
  reading('running', { id: third }, { resource: third, at: 1200 }),
];
const stale = (executionId: string, at: number, seconds = 1): Sketch =>
  call(202, { executionId, status: 'starting' }, wait(seconds), { at, durationMs: seconds * 1000 + 10 });
/** A call that was answered starting, and a reading right after it. */
const thenRead = (executionId: string, at: number, status: string, seconds = 1): Sketch[] => [
  stale(executionId, at, seconds),
  reading(status, { id: executionId }, { resource: executionId, at: at + seconds * 1000 + 30 }),
];
const behindTwice = [...thenRead(ids.execution, 10_000, 'running'), ...thenRead(another.execution, 20_000, 'running')];
/** A start that would wait for room, and gave up after a second. */
const waiting = (status: string): Sketch =>
  call(202, { status }, { ...wait(1), onCapacityLimit: 'queue' }, { at: 0, durationMs: 1010 });

export const syncWaits = {
  'sync-wait-is-bounded': {
    'satisfied: within the grace': [call(202, { status: 'running' }, wait(1), lasting(3000))],
    'violated: longer': {
      given: [call(202, { status: 'running' }, wait(1), lasting(3001))],
      says: ['within 1000 ms', 'one after 3001 ms'],
    },
    'violated: no answer at all': { given: [endless], says: 'none after 14000 ms' },
    'ignored: a wait that should have been refused, accepted': [
      call(202, { status: 'running' }, wait(60), { ...lasting(60_000), ...fault }),
    ],
    'ignored: a refusal': [refused(504, 30_000)],
    'ignored: the queue, and a 202 at the end': [call(202, { status: 'queued' }), call(202, { status: 'completed' })],
    'ignored: a wait that is not a number': [
      call(202, { status: 'running' }, { timeoutSeconds: '1' }, { ...lasting(9000), ...fault }),
    ],
  },

  'sync-default-timeout': {
    'satisfied: 200 after nearly 25 seconds': [call(200, { status: 'completed' }, {}, lasting(24_600))],
    'satisfied: 202 after 25 seconds': [call(202, { status: 'running' }, {}, lasting(25_010))],
    'violated: 202 after one second': {
      given: [call(202, { status: 'running' }, {}, lasting(1010))],
      says: ['wait of 25000 ms', '202 after 1010 ms'],
    },
    'violated: in a recording': [recorded(call(202, { status: 'starting' }, { inputs: {} }, lasting(10_000)))],
    'ignored: an execution that paused, and continued before the answer was written': [
      call(202, { status: 'running' }, {}, lasting(3000)),
      reading('paused'),
    ],
    'ignored: 200 at once': [call(200, { status: 'completed' }, {}, lasting(300))],
    'ignored: a pause': [call(202, { status: 'paused' }, {}, lasting(300))],
    'ignored: a wait of its own': [call(202, { status: 'running' }, wait(1), lasting(1010))],
    'violated: refused, although one with an explicit wait is accepted': {
      given: [call(200, { status: 'completed' }, wait(5), lasting(300)), refused(400, 5, {})],
      says: 'a call without timeoutSeconds taken',
    },
    'ignored: cut by an intermediary after five seconds': [
      call(200, { status: 'completed' }, wait(5), lasting(300)),
      { ...refused(408, 5, {}), ...lasting(5000) },
    ],
    'ignored: refused with another fault, too': [
      call(200, { status: 'completed' }, wait(5), lasting(300)),
      refused(400, 5, { head: true }),
    ],
    'ignored: an asynchronous start': [start({}, lasting(1600))],
  },

  'queued-call-waits': {
    'satisfied: at the end of the wait': [call(202, { status: 'queued' }, wait(1), lasting(1010))],
    'violated: before': {
      given: [call(202, { status: 'queued' }, wait(5), lasting(10))],
      says: ['a wait of 5000 ms', '202 queued after 10 ms'],
    },
    'ignored: one that started': [call(202, { status: 'running' }, wait(1), lasting(10))],
    'ignored: a wait that should have been refused': [
      call(202, { status: 'queued' }, wait(30), { ...lasting(10), ...fault }),
    ],
    'ignored: an asynchronous start': [
      start({}, { ...lasting(10), body: { executionId: ids.execution, status: 'queued' } }),
    ],
  },

  'sync-202-when-time-is-up': {
    'satisfied: at the end of the wait': [call(202, { status: 'running' }, wait(5), lasting(5010))],
    'violated: before': {
      given: [call(202, { status: 'running' }, wait(5), lasting(2500))],
      says: ['wait of 5000 ms', 'after 2500 ms'],
    },
    'ignored: a workflow that pauses': {
      given: [call(202, { status: 'running' }, wait(5), lasting(300))],
      facts: { workflows: { pauses: ids.workflow } },
    },
    'ignored: the default, which has a rule of its own': [call(202, { status: 'running' }, {}, lasting(300))],
  },

  'sync-202-status-is-current': {
    'violated: another pause': {
      given: [call(202, { status: 'paused' }, wait(5), lasting(300)), reading('awaiting_confirmation')],
      says: ['awaiting_confirmation', '202 with paused'],
    },
    'violated: no pause, although it ended early for one': [
      call(202, { status: 'running' }, wait(5), lasting(300)),
      reading('paused'),
    ],
    'violated, violated: a status that is stale each time': {
      given: [...soon, ...behindTwice],
      says: '202 with starting',
    },
    'violated, violated, violated: a status that is stale with every wait': {
      given: [...behindTwice, ...thenRead(third, 30_000, 'running', 2)],
      says: '202 with starting',
    },
    'ignored: a status that is stale in three calls with one wait: executions may leave it just then': [
      ...behindTwice,
      ...thenRead(third, 30_000, 'running'),
    ],
    'satisfied: a status that is not stale in one of them': [
      ...thenRead(ids.execution, 10_000, 'running'),
      ...thenRead(another.execution, 20_000, 'starting'),
      ...thenRead(third, 30_000, 'running', 2),
    ],
    'ignored: a status that is stale each time, while an execution may have moved during the reading': [
      ...soon,
      ...behindTwice.map((one) => (one.operation === 'getExecution' ? { ...one, durationMs: 400 } : one)),
    ],
    'ignored: a status that is stale once': [...soon, ...thenRead(ids.execution, 10_000, 'running')],
    'ignored: a pause that had ended when it was read': [
      call(202, { status: 'paused' }, wait(5), lasting(300)),
      reading('running'),
    ],
    'violated: started, although it is read as queued for long': {
      given: [waiting('starting'), reading('queued', {}, { at: 1030 }), reading('queued', {}, { at: 3010 })],
      says: ['the status at the answer, queued', '202 with starting'],
    },
    'ignored: started, although a stale replica shows it as queued': [
      waiting('running'),
      reading('queued', {}, { at: 1030 }),
      reading('queued', {}, { at: 3009 }),
    ],
    'ignored: started, and back in the queue': [
      waiting('running'),
      reading('starting', {}, { at: 1030 }),
      reading('queued', {}, { at: 5000 }),
    ],
    'ignored: queued without onCapacityLimit: a rule of its own': [
      call(202, { status: 'starting' }, wait(1), { at: 0, durationMs: 1010 }),
      reading('queued', {}, { at: 3010 }),
    ],
    'ignored: a 200': [call(200, { status: 'completed' }, wait(5), lasting(300)), reading('completed')],
  },

  'sync-returns-when-done': {
    'satisfied: in a recording': [recorded(call(200, { status: 'failed' }, {}, lasting(22_999)))],
    'violated: at the end of the wait': {
      given: [call(200, { status: 'completed' }, wait(25), lasting(25_000)), ended(2)],
      says: 'over, after 25000 ms',
    },
    'ignored: a wait no longer than the grace': [call(200, { status: 'completed' }, wait(2), lasting(1000)), ended(1)],
    'ignored: a 202': [call(202, { status: 'running' }, wait(25), lasting(300))],
    'ignored: a little after the end': [call(200, { status: 'completed' }, wait(20), lasting(20_000)), ended(18)],
  },
} satisfies Tables;
