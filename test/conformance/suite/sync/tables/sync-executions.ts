import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, sync as call, failedWait, reading, recorded, start } from '../../../../support/runs.js';
import { ended, lasting, refused, wait } from './sync.js';

/** Another run of the workflow, started asynchronously. */
const asynchronous = (status: string, more: Partial<Sketch> = {}): Sketch[] => [
  start({}, { body: { executionId: another.execution, status: 'starting' }, ...more }),
  reading(status, { id: another.execution }, { resource: another.execution }),
];
const stopped = asynchronous('paused');
const stillStopped = reading('paused', { id: another.execution }, { resource: another.execution });
const slow = { facts: { workflows: { slow: ids.workflow } } };
const result = {
  id: ids.pool,
  executionId: ids.execution,
  outcome: 'success',
  reasoning: 'Done.',
  result: 7,
  createdAt: '2026-03-02T12:00:02.100Z',
};
const othersResult = ended(
  2,
  { id: another.execution, executionResult: { ...result, executionId: another.execution } },
  { resource: another.execution },
);
const file = { id: ids.pool, name: 'a.txt' };
const notFound: Sketch = { operation: 'getExecution', status: 404, body: { code: 404, message: 'No.' }, mark: {} };
const no = (sent: unknown, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'executeSync',
  status: 400,
  sent,
  body: { code: 400, message: 'No.' },
  mark: {},
  ...more,
});
const elsewhere = { body: { executionId: another.execution, status: 'completed' } };

export const syncExecutions = {
  'sync-202-keeps-running': {
    'satisfied: any end, in a recording': {
      given: [recorded(call(202, { status: 'running' })), recorded(reading('cancelled'))],
      ...slow,
    },
    'inconclusive: cancelled with the call, once': {
      given: [call(202, { status: 'running' }), reading('cancelled')],
      ...slow,
      says: ['It is cancelled', 'no other execution'],
    },
    'ignored: not found yet at the end of a recording': [
      recorded(call(202, { status: 'running' }, { at: 5e6 })),
      recorded({ ...notFound, at: 5e6 + 900 }),
    ],
    'violated: not found': { given: [call(202, { status: 'running' }), notFound], says: '404' },
    'inconclusive: no end within the wait': {
      given: [call(202, { status: 'running' }), reading('running')],
      ...slow,
      failedWaits: [failedWait('patience')],
      says: ['still running', 'workflows.slow.takes'],
    },
    'violated: no end, many times as long as an asynchronous execution took': {
      given: [call(202, { status: 'running' }), reading('running'), ...asynchronous('completed')],
      ...slow,
      failedWaits: [failedWait('patience')],
      says: ['still running', 'took 1 s at most'],
    },
    'ignored: no capacity: another client may hold it': {
      given: [call(202, { status: 'queued' }), reading('queued'), ...asynchronous('completed')],
      ...slow,
      failedWaits: [failedWait('patience')],
    },
    'ignored: paused for good, as allowed': {
      given: [call(202, { status: 'paused' }), reading('paused')],
      facts: { workflows: { pauses: ids.workflow } },
      failedWaits: [failedWait('patience')],
    },
    'satisfied, violated: cancelled after the answer paused, although another one stays paused': {
      given: [call(202, { status: 'paused' }), reading('cancelled'), ...stopped, stillStopped],
      facts: { workflows: { pauses: ids.workflow } },
      says: ['goes on after the answer paused', 'cancelled'],
    },
    'satisfied: cancelled after a pause that may have been as short': {
      given: [call(202, { status: 'paused' }), reading('cancelled'), ...stopped],
      facts: { workflows: { pauses: ids.workflow } },
    },
    'ignored: a 200': [call(200, { status: 'completed' }), reading('completed')],
    'ignored: a workflow that never ends': {
      given: [call(202, { status: 'running' }), reading('running'), ...asynchronous('running')],
      ...slow,
      failedWaits: [failedWait('patience')],
    },
    'inconclusive: cancelled with the call, once, and so is another workflow': {
      given: [
        call(202, { status: 'running' }),
        reading('cancelled'),
        ...asynchronous('cancelled', { resource: another.workflow }),
      ],
      facts: { workflows: { slow: ids.workflow, completes: another.workflow } },
    },
    'inconclusive: cancelled with the call, once, and so is the editable head, which is allowed': {
      given: [
        call(202, { status: 'running' }),
        reading('cancelled'),
        ...asynchronous('cancelled', { sent: { head: true } }),
      ],
      ...slow,
    },
    'inconclusive: cancelled with the call, once, and another such call could not be followed': {
      given: [
        call(202, { status: 'running' }),
        reading('cancelled'),
        ...asynchronous('running', { operation: 'executeSync' }),
      ],
      ...slow,
      failedWaits: [failedWait('unreadable', another.execution)],
    },
    'violated: cancelled with the call, and so is another such call': {
      given: [
        call(202, { status: 'running' }),
        reading('cancelled'),
        ...asynchronous('cancelled', { operation: 'executeSync' }),
      ],
      ...slow,
      says: ['the end completed', 'cancelled'],
    },
  },

  'sync-is-not-idempotent': {
    'satisfied: two executions for two equal calls': [
      call(200, { status: 'completed' }, wait(25)),
      call(200, {}, wait(25), elsewhere),
    ],
    'violated: one execution for two equal calls': {
      given: [call(200, { status: 'completed' }, wait(25)), call(200, { status: 'completed' }, wait(25))],
      says: 'an execution for each call',
    },
    'ignored: equal calls of two workflows': [
      call(200, { status: 'completed' }),
      call(200, {}, {}, { ...elsewhere, resource: another.workflow }),
    ],
    'ignored: one of them refused': [call(200, { status: 'completed' }, wait(1)), refused(400, 5)],
    'ignored: asynchronous starts': [start(), start()],
  },

  'sync-takes-the-same-body': {
    'inconclusive: a temp file that may be deleted with the one accepted start': [
      start({ tempFiles: [file] }),
      no({ tempFiles: [file] }),
      call(202, { status: 'running' }),
    ],
    'satisfied: a temp file that is not found any more, although it was used twice': [
      start({ tempFiles: [file] }),
      start({ tempFiles: [file], head: true }, { body: { executionId: another.execution, status: 'starting' } }),
      no({ tempFiles: [file] }, { status: 404 }),
      call(202, { status: 'running' }, { head: true }),
    ],
    'satisfied, violated: one of all fields that were refused together': {
      given: [
        start({ head: true }),
        start({ profileGroupId: ids.pool }),
        no({ head: true, profileGroupId: ids.pool }),
        no({ head: true }),
        call(202, { status: 'running' }, { profileGroupId: ids.pool }),
      ],
      says: 'head taken',
    },
    'ignored: a refusal that calls without the field get as well': [start({ head: true }), no({}), no({ head: true })],
    'inconclusive: a field that no other start had': {
      given: [start({ head: true }), no({ head: true, version: 3 }), call(202, { status: 'running' })],
      says: 'the reason is unclear',
    },
    'satisfied, inconclusive, inconclusive, violated: fields that are accepted one by one': {
      given: [
        start({ head: true }),
        start({ profileId: ids.profile }),
        no({ head: true, profileId: ids.profile }),
        call(202, { status: 'running' }, { profileId: ids.profile }),
        no({ head: true, profileId: ids.profile }),
      ],
      says: 'head, profileId accepted, as others with each of them',
    },
    'ignored: a call without fields': [start(), no({ inputs: { a: 1 }, timeoutSeconds: 1 })],
    'ignored: a refusal in a recording': [start({ head: true }), recorded(no({ head: true }))],
  },
  'sync-result-agrees': {
    'satisfied: none in either': [call(200, { status: 'cancelled' }), reading('cancelled')],
    'violated: of another execution': {
      given: [call(202, { status: 'running', executionResult: { ...result, executionId: another.execution } })],
      says: another.execution,
    },
    'violated: one in a 202 although none is recorded': {
      given: [call(202, { status: 'running', executionResult: result }), reading('running'), othersResult],
      says: 'as a reading shows none',
    },
    'ignored: one in a 202 where no reading has any': [
      call(202, { status: 'running', executionResult: result }),
      reading('running'),
    ],
    'satisfied: one where no reading has any': [call(200, { status: 'completed', executionResult: result }), ended(2)],
    'violated: none, although it was recorded at the end': {
      given: [call(200, { status: 'completed' }), ended(2, { executionResult: result })],
      says: 'no executionResult',
    },
    'satisfied: one that the second reading has': [
      call(200, { status: 'completed', executionResult: result }),
      ended(2),
      ended(2, { executionResult: result }),
      othersResult,
    ],
    'satisfied: the same in a recording': [
      recorded(call(200, { status: 'completed', executionResult: result })),
      recorded(ended(2)),
      recorded(ended(2, { executionResult: result })),
    ],
    'violated: another one in all readings': {
      given: [
        call(200, { status: 'completed', executionResult: result }),
        ended(2),
        ended(2, { executionResult: { ...result, result: 8 } }),
      ],
      says: 'the result that a reading shows',
    },
    'violated: one that no reading has, although one has that of another execution': {
      given: [call(200, { status: 'completed', executionResult: result }), ended(2), ended(2), othersResult],
      says: 'as a reading shows none',
    },
    'ignored: one that was recorded later': [call(200, { status: 'completed' }), ended(1, { executionResult: result })],
    'ignored: a reading that was sent before the answer': [
      call(200, { status: 'completed', executionResult: result }, {}, lasting(1000)),
      ended(2, {}, { at: 900 }),
    ],
    'ignored: 202 at the end, and a result in the reading': [
      call(202, { status: 'completed' }),
      ended(2, { executionResult: result }),
    ],
    'ignored: another end in the reading': [call(200, { status: 'failed', executionResult: result }), ended(2)],
  },
} satisfies Tables;
