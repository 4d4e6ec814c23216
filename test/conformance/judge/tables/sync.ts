import { ids, type Sketch } from '../../../support/evidence.js';
import type { Tables } from '../../../support/judge-table.js';
import { another, sync as call, lapse, reading, recorded, start } from '../../../support/runs.js';

export const wait = (seconds: number) => ({ timeoutSeconds: seconds });
export const lasting = (durationMs: number, at = 0): Partial<Sketch> => ({ at, durationMs });
export const refused = (status: number, durationMs: number, sent: unknown = wait(1)): Sketch =>
  call(200, {}, sent, { status, durationMs, body: { code: status, message: 'No.' } });
/** Another run of the workflow, started asynchronously. */
const asynchronous = (status: string, more: Partial<Sketch> = {}): Sketch[] => [
  start({}, { body: { executionId: another.execution, status: 'starting' }, ...more }),
  reading(status, { id: another.execution }, { resource: another.execution }),
];
export const fault = { mark: { probe: { rule: 'sync-timeout-range', fault: '', twins: [] } } } as const;
const slow = { facts: { workflows: { slow: ids.workflow } } };
const result = {
  id: ids.pool,
  executionId: ids.execution,
  outcome: 'success',
  reasoning: 'Done.',
  result: 7,
  createdAt: '2026-03-02T12:00:02.100Z',
};
const notFound: Sketch = { operation: 'getExecution', status: 404, body: { code: 404, message: 'No.' }, mark: {} };
/** A reading of a run that lasted so many seconds. */
export const ended = (seconds: number, more: object = {}, sketch: Partial<Sketch> = {}) =>
  reading(
    'completed',
    {
      createdAt: '2026-03-02T12:00:00.100Z',
      terminalAt: `2026-03-02T12:00:${String(seconds).padStart(2, '0')}.100Z`,
      ...more,
    },
    sketch,
  );
const elsewhere = { body: { executionId: another.execution, status: 'completed' } };

export const sync = {
  'sync-200-means-terminal': [
    ...['completed', 'failed', 'cancelled'].map((status) => ['kept', status, [call(200, { status })]] as const),
    ['kept', 'as the reading shows', [call(200, { status: 'completed' }), reading('completed')]],
    ['kept', 'in a recording', [recorded(call(200, { status: 'failed' }))]],
    ['broken', '200 while it runs', [call(200, { status: 'running' })], { says: '200 with "running"' }],
    [
      ['kept', 'broken'],
      'told to be over, and read to run',
      [call(200, { status: 'completed' }), reading('running')],
      { says: 'running afterwards' },
    ],
    [['kept', 'broken'], 'told one end, and read another', [call(200, { status: 'completed' }), reading('failed')]],
    [
      'broken',
      '202 long before the wait was over, of a run that ended within it',
      [call(202, { status: 'starting' }, wait(25), lasting(20)), reading('completed', {}, { at: 1000 })],
      { says: ['200 for a run that ended within the wait', '202 after 20 ms'] },
    ],
    [
      'untouched',
      '202 at a stop, of a run that then ended',
      [call(202, { status: 'paused' }, wait(25), lasting(900)), reading('completed', {}, { at: 2000 })],
    ],
    [
      'untouched',
      '202 in the queue',
      [call(202, { status: 'queued' }, wait(25), lasting(20)), reading('completed', {}, { at: 2000 })],
    ],
    [
      'untouched',
      '202 when the wait was over',
      [call(202, { status: 'running' }, wait(1), lasting(1010)), reading('completed', {}, { at: 1100 })],
    ],
    [
      'untouched',
      '202 just before',
      [call(202, { status: 'running' }, wait(4), lasting(3900)), reading('completed', {}, { at: 3950 })],
    ],
    [
      'kept',
      'a target without state reads what it likes',
      [call(200, { status: 'completed' }), reading('running')],
      { facts: { stateful: false } },
    ],
    ['untouched', 'a refusal', [refused(400, 5)]],
    ['untouched', 'an asynchronous start', [start()]],
    [
      'broken',
      '201 at the end',
      [call(200, { status: 'completed' }, {}, { status: 201 })],
      { says: ['200 for a run that ended', '201'] },
    ],
    [
      'broken',
      '202 at the end',
      [call(202, { status: 'completed' }, wait(25), lasting(300)), reading('completed', {}, { at: 400 })],
    ],
    ['untouched', '201 while it runs', [call(200, { status: 'running' }, {}, { status: 201 })]],
    ['untouched', 'no status', [call(200, {})]],
    [
      'untouched',
      '202 with a word of its own',
      [call(202, { status: 'new' }, wait(25), lasting(20)), reading('completed', {}, { at: 400 })],
    ],
    [
      'untouched',
      'a wait that should have been refused',
      [call(202, { status: 'running' }, wait(60), { ...lasting(20), ...fault }), reading('completed', {}, { at: 400 })],
    ],
    [
      'untouched',
      'a run that went on',
      [call(202, { status: 'running' }, wait(25), lasting(20)), reading('running', {}, { at: 400 })],
    ],
    [
      'kept',
      'a reading that was sent before the answer',
      [call(200, { status: 'completed' }, {}, lasting(1000)), reading('running', {}, { at: 900 })],
    ],
    ['untouched', 'a refusal with a status of its own', [call(200, { status: 'running' }, {}, { status: 400 })]],
    [
      'untouched',
      '202 at the end, of a short wait: sync-202-means-not-finished speaks of it',
      [call(202, { status: 'completed' }, wait(1))],
    ],
    ...['paused', 'awaiting_confirmation', 'paused_by_agent'].map(
      (status) =>
        [
          'untouched',
          `202 at once, ${status}`,
          [call(202, { status }, wait(25), lasting(20)), reading('completed', {}, { at: 400 })],
        ] as const,
    ),
  ],

  'sync-202-means-not-finished': [
    ...['starting', 'running', 'paused', 'awaiting_confirmation', 'paused_by_agent'].map(
      (status) => ['kept', status, [call(202, { status })]] as const,
    ),
    ['broken', '202 at the end', [call(202, { status: 'completed' })], { says: '202 with "completed"' }],
    ['broken', 'an error when the wait is over', [refused(408, 1010)], { says: ['202 when the wait is over', '408'] }],
    [
      'broken',
      '200 long after the wait',
      [call(200, { status: 'completed' }, wait(1)), ended(9)],
      { says: ['wait of 1000 ms', '200 for a run of 9000 ms'] },
    ],
    ['untouched', '200 within the grace', [call(200, { status: 'completed' }, wait(1)), ended(2)]],
    ['untouched', '200 in time', [call(200, { status: 'completed' }), ended(9)]],
    ['untouched', 'a refusal at once', [refused(422, 5)]],
    ['untouched', 'a gateway', [refused(504, 1010)]],
    ['untouched', 'an error after a wait in which a gateway may give up', [refused(500, 25_000, wait(25))]],
    ['untouched', 'a refusal in a recording', [recorded(refused(408, 1010))]],
    ['untouched', 'an asynchronous start', [start()]],
    [
      'broken',
      '201 while it runs',
      [call(200, { status: 'running' }, {}, { status: 201 })],
      { says: '202 for a run that has not ended' },
    ],
    ['untouched', '201 at the end', [call(200, { status: 'completed' }, {}, { status: 201 })]],
    ['untouched', '200 while it runs', [call(200, { status: 'running' })]],
    ['untouched', 'a long run of an asynchronous start', [start(), ended(40)]],
    [
      'untouched',
      'a wait that should have been refused',
      [call(200, { status: 'completed' }, wait(0), fault), ended(9)],
    ],
    ['kept', '202 for a long run', [call(202, { status: 'running' }, wait(1)), ended(9)]],
    ['untouched', 'a refusal with a status of its own', [call(200, { status: 'running' }, {}, { status: 400 })]],
    [
      'untouched',
      'asynchronous starts',
      [start(wait(1), { status: 200 }), ended(9), start(wait(1), { status: 408, durationMs: 1010 })],
    ],
    [
      'untouched',
      'a wait that should have been refused, with an error',
      [{ ...refused(408, 1010, wait(0)), ...fault }],
    ],
  ],

  'sync-202-keeps-running': [
    ['kept', 'on to its end', [call(202, { status: 'running' }), reading('running'), reading('completed')], slow],
    ['kept', 'on after a stop', [call(202, { status: 'paused' }), reading('completed')]],
    [
      'kept',
      'any end, in a recording',
      [recorded(call(202, { status: 'running' })), recorded(reading('cancelled'))],
      slow,
    ],
    [
      'broken',
      'cancelled with the call',
      [call(202, { status: 'running' }), reading('cancelled')],
      { ...slow, says: ['the end completed', 'cancelled'] },
    ],
    ['broken', 'not to be found', [call(202, { status: 'running' }), notFound], { says: '404' }],
    [
      'broken',
      'stuck',
      [call(202, { status: 'running' }), reading('running')],
      { ...slow, lapses: [lapse('patience')], says: 'running for good' },
    ],
    [
      'unclear',
      'not to be read',
      [call(202, { status: 'running' }), { ...notFound, status: 500 }],
      { ...slow, lapses: [lapse('unreadable')] },
    ],
    [
      'untouched',
      'stopped for good, as it may be',
      [call(202, { status: 'paused' }), reading('paused')],
      { facts: { workflows: { pauses: ids.workflow } }, lapses: [lapse('patience')] },
    ],
    ['untouched', 'a 200', [call(200, { status: 'completed' }), reading('completed')]],
    ['untouched', 'an asynchronous start', [start(), reading('completed')]],
    [
      'broken',
      'cancelled with the call, where another run completes',
      [call(202, { status: 'running' }), reading('cancelled'), ...asynchronous('completed')],
      slow,
    ],
    [
      'untouched',
      'a workflow that is always cancelled: execution-progresses speaks of it',
      [call(202, { status: 'running' }), reading('cancelled'), ...asynchronous('cancelled')],
      slow,
    ],
    [
      'untouched',
      'a workflow that never ends',
      [call(202, { status: 'running' }), reading('running'), ...asynchronous('running')],
      { ...slow, lapses: [lapse('patience')] },
    ],
    ['untouched', 'still on its way', [call(202, { status: 'running' }), reading('running')], slow],
    [
      'untouched',
      'the editable head',
      [call(202, { status: 'running' }, { head: true }), reading('running')],
      { ...slow, lapses: [lapse('patience')] },
    ],
    [
      'kept',
      'a workflow that stops and completes',
      [call(202, { status: 'running' }), reading('completed')],
      { facts: { workflows: { slow: ids.workflow, pauses: ids.workflow } } },
    ],
    [
      'broken',
      'cancelled with the call, and so is another workflow',
      [
        call(202, { status: 'running' }),
        reading('cancelled'),
        ...asynchronous('cancelled', { resource: another.workflow }),
      ],
      { facts: { workflows: { slow: ids.workflow, completes: another.workflow } } },
    ],
    [
      'broken',
      'cancelled with the call, and so is the editable head, which may be',
      [call(202, { status: 'running' }), reading('cancelled'), ...asynchronous('cancelled', { sent: { head: true } })],
      slow,
    ],
    [
      'broken',
      'cancelled with the call, and so is another such call',
      [
        call(202, { status: 'running' }),
        reading('cancelled'),
        ...asynchronous('cancelled', { operation: 'executeSync' }),
      ],
      slow,
    ],
    [
      'untouched',
      'a 200 that is never read again',
      [call(200, { status: 'completed' }), reading('running')],
      { ...slow, lapses: [lapse('patience')] },
    ],
    [
      'untouched',
      'an asynchronous start that never ends',
      [start(), reading('running')],
      { ...slow, lapses: [lapse('patience')] },
    ],
  ],

  'sync-is-not-idempotent': [
    [
      'kept',
      'two executions for two equal calls',
      [call(200, { status: 'completed' }, wait(25)), call(200, {}, wait(25), elsewhere)],
    ],
    [
      'kept',
      'the same fields in another order',
      [
        call(202, { status: 'running' }, { head: true, inputs: {} }),
        call(202, {}, { inputs: {}, head: true }, elsewhere),
      ],
    ],
    [
      'broken',
      'one execution for two equal calls',
      [call(200, { status: 'completed' }, wait(25)), call(200, { status: 'completed' }, wait(25))],
      { says: 'an execution for each call' },
    ],
    [
      'broken',
      'one execution for two different calls',
      [call(200, { status: 'completed' }, wait(25)), call(200, { status: 'completed' }, wait(24))],
    ],
    [
      'untouched',
      'two different calls',
      [call(200, { status: 'completed' }, wait(25)), call(200, {}, wait(24), elsewhere)],
    ],
    [
      'untouched',
      'equal calls of two workflows',
      [call(200, { status: 'completed' }), call(200, {}, {}, { ...elsewhere, resource: another.workflow })],
    ],
    ['untouched', 'one of them refused', [call(200, { status: 'completed' }, wait(1)), refused(400, 5)]],
    ['untouched', 'asynchronous starts', [start(), start()]],
  ],

  'sync-result-agrees': [
    [
      'kept',
      'the one that the reading shows',
      [call(200, { status: 'completed', executionResult: result }), ended(2, { executionResult: result })],
    ],
    ['kept', 'none in either', [call(200, { status: 'cancelled' }), reading('cancelled')]],
    [
      'broken',
      'of another execution',
      [call(202, { status: 'running', executionResult: { ...result, executionId: another.execution } })],
      { says: another.execution },
    ],
    [
      'broken',
      'another one',
      [
        call(200, { status: 'completed', executionResult: result }),
        ended(2, { executionResult: { ...result, result: 8 } }),
      ],
    ],
    [
      'broken',
      'one that the reading does not show',
      [call(200, { status: 'completed', executionResult: result }), ended(2)],
    ],
    [
      'broken',
      'none, though it was recorded at the end',
      [call(200, { status: 'completed' }), ended(2, { executionResult: result })],
      { says: 'no executionResult' },
    ],
    [
      'broken',
      'null, though it was recorded',
      [call(200, { status: 'completed', executionResult: null }), ended(2, { executionResult: result })],
    ],
    [
      'untouched',
      'one that was recorded later',
      [call(200, { status: 'completed' }), ended(1, { executionResult: result })],
    ],
    [
      'untouched',
      'one whose time is not shown',
      [call(200, { status: 'completed' }), ended(2, { executionResult: { ...result, createdAt: undefined } })],
    ],
    [
      'untouched',
      'a 202, and a result later on',
      [call(202, { status: 'running' }), ended(2, { executionResult: result })],
    ],
    ['untouched', 'no reading', [call(200, { status: 'completed', executionResult: result })]],
    ['untouched', 'an asynchronous start', [start(), ended(2, { executionResult: result })]],
    [
      'untouched',
      '200 while it runs, and a result later on',
      [call(200, { status: 'running' }), ended(2, { executionResult: result })],
    ],
    [
      'untouched',
      '200 too early, and a result later on',
      [call(200, { status: 'completed' }), reading('running'), ended(2, { executionResult: result })],
    ],
    [
      'untouched',
      'a reading that was sent before the answer',
      [call(200, { status: 'completed', executionResult: result }, {}, lasting(1000)), ended(2, {}, { at: 900 })],
    ],
    [
      'untouched',
      '202 at the end, and a result in the reading',
      [call(202, { status: 'completed' }), ended(2, { executionResult: result })],
    ],
    ['untouched', 'another end in the reading', [call(200, { status: 'failed', executionResult: result }), ended(2)]],
  ],
} satisfies Tables;
