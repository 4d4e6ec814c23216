import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, sync as call, cut, reading, recorded, start } from '../../../../support/runs.js';
import { asText } from '../../../../support/sketches.js';
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
  'sync-wait-is-bounded': [
    ['kept', 'as long as it was to wait', [call(202, { status: 'running' }, wait(1), lasting(1010))]],
    ['kept', 'within the grace', [call(202, { status: 'running' }, wait(1), lasting(3000))]],
    ['kept', '25 seconds by default', [call(202, { status: 'running' }, {}, lasting(25_400))]],
    [
      'broken',
      'longer',
      [call(202, { status: 'running' }, wait(1), lasting(3001))],
      { says: ['within 1000 ms', 'one after 3001 ms'] },
    ],
    ['broken', 'longer, though it had ended', [call(200, { status: 'completed' }, wait(1), lasting(9000))]],
    ['broken', 'longer than the default', [recorded(call(202, { status: 'running' }, {}, lasting(27_001)))]],
    ['broken', 'no answer at all', [endless], { says: 'none after 14000 ms' }],
    [
      'broken',
      'a grace that is less',
      [call(202, { status: 'running' }, wait(1), lasting(1200))],
      { facts: { pace: { requestsPerSecond: 1, concurrency: 1, patienceSeconds: 1, latencyGraceMs: 100 } } },
    ],
    ['untouched', 'an end before the wait was over', [call(200, { status: 'completed' }, wait(1), lasting(300))]],
    ['untouched', 'a stop', [call(202, { status: 'paused' }, wait(5), lasting(300))]],
    [
      'untouched',
      'a wait that should have been refused, taken',
      [call(202, { status: 'running' }, wait(60), { ...lasting(60_000), ...fault })],
    ],
    ['untouched', 'a refusal', [refused(504, 30_000)]],
    ['untouched', 'an asynchronous start', [start({}, lasting(60_000))]],
    [
      'untouched',
      'the queue, and a 202 at the end',
      [call(202, { status: 'queued' }), call(202, { status: 'completed' })],
    ],
    ['untouched', 'a connection that was cut', [{ ...endless, failure: { kind: 'broken', message: 'Cut.' } }]],
    [
      'untouched',
      'a wait of less than a second',
      [call(202, { status: 'running' }, wait(0), { ...lasting(9000), ...fault })],
    ],
    [
      'untouched',
      'a wait that is no number',
      [call(202, { status: 'running' }, { timeoutSeconds: '1' }, { ...lasting(9000), ...fault })],
    ],
  ],

  'sync-default-timeout': [
    ['kept', '200 after nearly 25 seconds', [call(200, { status: 'completed' }, {}, lasting(24_600))]],
    ['untouched', '200 after more than a second', [call(200, { status: 'completed' }, {}, lasting(1600))]],
    ['kept', '202 after 25 seconds', [call(202, { status: 'running' }, {}, lasting(25_010))]],
    [
      'broken',
      '202 after one second',
      [call(202, { status: 'running' }, {}, lasting(1010))],
      { says: ['wait of 25000 ms', '202 after 1010 ms'] },
    ],
    ['broken', 'in a recording', [recorded(call(202, { status: 'starting' }, { inputs: {} }, lasting(10_000)))]],
    [
      'untouched',
      'a body that is not labelled as JSON',
      [asText(recorded(call(202, { status: 'starting' }, { timeoutSeconds: 10 }, lasting(10_000))))],
    ],
    [
      'untouched',
      'a run that stopped, and went on before the answer was written',
      [call(202, { status: 'running' }, {}, lasting(3000)), reading('paused')],
    ],
    ['untouched', '200 at once', [call(200, { status: 'completed' }, {}, lasting(300))]],
    ['untouched', 'a stop', [call(202, { status: 'paused_by_agent' }, {}, lasting(300))]],
    ['untouched', 'the queue', [call(202, { status: 'queued' }, {}, lasting(300))]],
    ['untouched', 'a wait of its own', [call(202, { status: 'running' }, wait(1), lasting(1010))]],
    [
      'untouched',
      'a wait that should have been refused, taken',
      [call(202, { status: 'running' }, {}, { ...lasting(1010), ...fault })],
    ],
    ['untouched', 'a refusal', [refused(409, 5, {})]],
    [
      'broken',
      'refused, where one that says how long to wait is taken',
      [call(200, { status: 'completed' }, wait(5), lasting(300)), refused(400, 5, {})],
      { says: 'a call without timeoutSeconds taken' },
    ],
    [
      'untouched',
      'cut short on the way after five seconds',
      [call(200, { status: 'completed' }, wait(5), lasting(300)), { ...refused(408, 5, {}), ...lasting(5000) }],
    ],
    [
      'untouched',
      'refused with something else, too',
      [call(200, { status: 'completed' }, wait(5), lasting(300)), refused(400, 5, { head: true })],
    ],
    ['untouched', '202 at the end', [call(202, { status: 'completed' }, {}, lasting(300))]],
    ['untouched', 'an asynchronous start', [start({}, lasting(1600))]],
  ],

  'sync-202-when-time-is-up': [
    ['kept', 'when the wait was over', [call(202, { status: 'running' }, wait(5), lasting(5010))]],
    ['kept', 'by a timer that is a little early', [call(202, { status: 'starting' }, wait(1), lasting(960))]],
    [
      'broken',
      'before',
      [call(202, { status: 'running' }, wait(5), lasting(2500))],
      { says: ['wait of 5000 ms', 'after 2500 ms'] },
    ],
    ['broken', 'in a recording', [recorded(call(202, { status: 'starting' }, wait(1), lasting(100)))]],
    [
      'untouched',
      'a run that stopped, and went on before the answer was written',
      [call(202, { status: 'running' }, wait(5), lasting(300)), reading('paused')],
    ],
    [
      'untouched',
      'a workflow that stops',
      [call(202, { status: 'running' }, wait(5), lasting(300))],
      { facts: { workflows: { pauses: ids.workflow } } },
    ],
    ['untouched', 'a stop', [call(202, { status: 'paused' }, wait(5), lasting(300))]],
    ['untouched', 'the queue', [call(202, { status: 'queued' }, wait(5), lasting(300))]],
    ['untouched', 'the default, which has a rule of its own', [call(202, { status: 'running' }, {}, lasting(300))]],
    ['untouched', 'a 200', [call(200, { status: 'completed' }, wait(5), lasting(300))]],
    ['untouched', 'an asynchronous start', [start()]],
  ],

  'sync-202-status-is-current': [
    ['kept', 'a stop that is read', [call(202, { status: 'paused' }, wait(5), lasting(300)), reading('paused')]],
    ['kept', 'a run that goes on', [call(202, { status: 'running' }, wait(1), lasting(1010)), reading('running')]],
    [
      'broken',
      'another stop',
      [call(202, { status: 'paused' }, wait(5), lasting(300)), reading('paused_by_agent')],
      { says: ['paused_by_agent', '202 with paused'] },
    ],
    [
      'broken',
      'no stop, though it came early for one',
      [call(202, { status: 'running' }, wait(5), lasting(300)), reading('paused')],
    ],
    [
      ['broken', 'broken'],
      'a status that is behind each time',
      [...soon, ...behindTwice],
      { says: '202 with starting' },
    ],
    [
      ['broken', 'broken', 'broken'],
      'a status that is behind whatever the call waits',
      [...behindTwice, ...thenRead(third, 30_000, 'running', 2)],
      { says: '202 with starting' },
    ],
    [
      'untouched',
      'a status that three calls of one wait are behind: runs may leave it just then',
      [...behindTwice, ...thenRead(third, 30_000, 'running')],
    ],
    [
      'kept',
      'a status that one of them is not behind',
      [
        ...thenRead(ids.execution, 10_000, 'running'),
        ...thenRead(another.execution, 20_000, 'starting'),
        ...thenRead(third, 30_000, 'running', 2),
      ],
    ],
    ['untouched', 'a status that is behind once', [...soon, ...thenRead(ids.execution, 10_000, 'running')]],
    ['untouched', 'a status that runs leave late', behindTwice],
    [
      'untouched',
      'a stop that was over when it was read',
      [call(202, { status: 'paused' }, wait(5), lasting(300)), reading('running')],
    ],
    [
      'broken',
      'begun, of what is read as queued for long',
      [waiting('starting'), reading('queued', {}, { at: 1030 }), reading('queued', {}, { at: 3010 })],
      { says: ['the status at the answer, queued', '202 with starting'] },
    ],
    [
      'untouched',
      'begun, of what a replica shows as queued still',
      [waiting('running'), reading('queued', {}, { at: 1030 }), reading('queued', {}, { at: 3009 })],
    ],
    [
      'untouched',
      'begun, of what went back to the queue',
      [waiting('running'), reading('starting', {}, { at: 1030 }), reading('queued', {}, { at: 5000 })],
    ],
    ['kept', 'queued', [waiting('queued'), reading('queued', {}, { at: 3010 })]],
    [
      'untouched',
      'queued without asking: a rule of its own',
      [call(202, { status: 'starting' }, wait(1), { at: 0, durationMs: 1010 }), reading('queued', {}, { at: 3010 })],
    ],
    ['untouched', 'no reading', [call(202, { status: 'paused' }, wait(5), lasting(300))]],
    ['untouched', 'a 200', [call(200, { status: 'completed' }, wait(5), lasting(300)), reading('completed')]],
  ],

  'sync-returns-when-done': [
    ['kept', 'long before the wait was over', [call(200, { status: 'completed' }, wait(25), lasting(300))]],
    ['kept', 'in a recording', [recorded(call(200, { status: 'failed' }, {}, lasting(22_999)))]],
    [
      'broken',
      'when the wait was over',
      [call(200, { status: 'completed' }, wait(25), lasting(25_000)), ended(2)],
      { says: 'over, after 25000 ms' },
    ],
    [
      'kept',
      'some seconds after the run ended, as the wait went on',
      [call(200, { status: 'completed' }, wait(25), lasting(9000)), ended(2)],
    ],
    [
      'untouched',
      'when the wait was over, as the run took that long',
      [call(200, { status: 'completed' }, wait(25), lasting(24_900)), ended(24)],
    ],
    [
      'untouched',
      'a wait that is not told from the grace',
      [call(200, { status: 'completed' }, wait(2), lasting(1000)), ended(1)],
    ],
    [
      'untouched',
      'late, of a run whose times are not shown',
      [call(200, { status: 'completed' }, wait(25), lasting(25_000)), reading('completed', { terminalAt: undefined })],
    ],
    ['untouched', 'a 202', [call(202, { status: 'running' }, wait(25), lasting(300))]],
    ['untouched', 'an asynchronous start', [start()]],
    ['untouched', 'no answer', [{ operation: 'executeSync', sent: {}, ...cut }]],
    ['kept', 'nearly when the wait was over', [call(200, { status: 'completed' }, wait(20), lasting(18_999))]],
    ['untouched', 'a little after the end', [call(200, { status: 'completed' }, wait(20), lasting(20_000)), ended(18)]],
    ['untouched', 'no reading', [call(200, { status: 'completed' }, wait(25), lasting(25_000))]],
  ],
} satisfies Tables;
