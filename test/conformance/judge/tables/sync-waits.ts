import type { Sketch } from '../../../support/evidence.js';
import type { Tables } from '../../../support/judge-table.js';
import { sync as call, cut, reading, recorded, start } from '../../../support/runs.js';
import { ended, fault, lasting, refused, wait } from './sync.js';

const endless: Sketch = {
  operation: 'executeSync',
  sent: wait(1),
  durationMs: 14_000,
  failure: { kind: 'timeout', message: 'Gave up.' },
};

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
    ['kept', '200 after more than a second', [call(200, { status: 'completed' }, {}, lasting(1600))]],
    ['kept', '202 after 25 seconds', [call(202, { status: 'running' }, {}, lasting(25_010))]],
    [
      'broken',
      '202 after one second',
      [call(202, { status: 'running' }, {}, lasting(1010))],
      { says: ['wait of 25000 ms', '202 after 1010 ms'] },
    ],
    ['broken', 'in a recording', [recorded(call(202, { status: 'starting' }, { inputs: {} }, lasting(10_000)))]],
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
    ['untouched', '202 at the end', [call(202, { status: 'completed' }, {}, lasting(300))]],
    ['untouched', 'an asynchronous start', [start({}, lasting(1600))]],
  ],

  'sync-returns-when-done': [
    ['kept', 'long before the wait was over', [call(200, { status: 'completed' }, wait(25), lasting(300))]],
    ['kept', 'in a recording', [recorded(call(200, { status: 'failed' }, {}, lasting(22_999)))]],
    [
      'broken',
      'when the wait was over',
      [call(200, { status: 'completed' }, wait(25), lasting(25_000)), ended(2)],
      { says: ['after 2000 ms', 'after 25000 ms'] },
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
