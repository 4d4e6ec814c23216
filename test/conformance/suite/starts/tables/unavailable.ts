import { ids, type Sketch } from '../../../../support/evidence.js';
import { each, type Table, type Tables } from '../../../../support/judge-table.js';
import { group } from '../../../../support/runs.js';
import { probe, refused, started, taken } from '../../../../support/sketches.js';
import { refusalRows } from './refusals.js';

const controls = ['capacity/hold-1'];
/** An execution that holds the group's only profile from the first second on. */
const hold: Sketch = {
  ...taken,
  sent: { profileGroupId: group },
  at: 1000,
  mark: { scenario: 'capacity', step: 'hold-1' },
};
/** In a group of so many profiles. */
const inGroup = (size: number, table: Table): Table =>
  each(table, (one) => ({
    ...one,
    facts: { capacity: { profileGroup: group, size, workflow: ids.workflow }, ...one.facts },
  }));
const reading = (status: string, at: number): Sketch => ({
  operation: 'getExecution',
  status: 200,
  body: { status },
  at,
});
const other = '0c2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';

const over = (sketch: Sketch): Sketch =>
  probe(
    'over-capacity-is-rejected',
    { at: 2000, ...sketch },
    { probe: { rule: 'over-capacity-is-rejected', fault: 'every profile in use', controls } },
  );
const tooMany: Sketch = { operation: 'execute', status: 429, body: { code: 429, message: 'm' } };
const acceptedToo: Sketch = { ...taken, body: { executionId: other, status: 'starting' } };

const waiting: Sketch = {
  ...acceptedToo,
  operation: 'executeSync',
  body: { executionId: other, status: 'running' },
  durationMs: 9000,
};

/** What the record of a run says that began and ended so many seconds past the hour. */
const ended = (second: number, from = 0.5) => ({
  status: 'completed',
  createdAt: new Date(Date.UTC(2026, 2, 2, 12, 0, 0, from * 1000)).toISOString(),
  terminalAt: new Date(Date.UTC(2026, 2, 2, 12, 0, 0, second * 1000)).toISOString(),
});

/** A start that was waited for until its end. */
const waitedFor: Sketch = {
  ...hold,
  operation: 'executeSync',
  status: 200,
  body: { ...started, status: 'completed' },
  durationMs: 2500,
};
/** A synchronous start, by what fills the group by its record, and how that was read before the end. */
const beside = (before: string, filling: object, holding = hold): Sketch[] => [
  holding,
  over(waiting),
  reading(before, 2100),
  { ...reading('completed', 12_000), body: filling },
  { ...reading('completed', 12_000), resource: other, body: ended(9, 2) },
];

/** A start that was answered before what is waited for can have ended, and when it was created by the service's clock. */
const byOwnClock = (filling: object, from: number): Sketch[] => [
  waitedFor,
  over(acceptedToo),
  { ...reading('completed', 12_000), body: filling },
  { ...reading('completed', 12_000), resource: other, body: ended(9, from) },
];

const files = { tempFiles: [{ id: ids.pool, name: 'n' }], onCapacityLimit: 'queue' };
const queueFiles = (sketch: Sketch): Sketch =>
  probe(
    'temp-files-are-never-queued',
    { at: 2000, sent: files, ...sketch },
    { probe: { rule: 'temp-files-are-never-queued', fault: 'temp files', controls: ['start/temp-file'] } },
  );
const tempFile: Sketch = {
  ...taken,
  body: { executionId: ids.pool, status: 'starting' },
  mark: { scenario: 'start', step: 'temp-file' },
};
const queued = { executionId: other, status: 'queued' };

const pool = (status: number): Sketch => ({
  operation: 'deletePool',
  status,
  mark: { scenario: 'pool', step: 'delete' },
});

export const unavailable = {
  'over-capacity-is-rejected': inGroup(1, {
    'violated: an acceptance while the group was full': {
      given: [hold, reading('running', 1500), over(acceptedToo), reading('running', 2100)],
      says: ['a refusal with every profile in use', '202'],
    },
    'violated: a synchronous start beside the holder of the group, answered long after': [
      hold,
      over(waiting),
      reading('running', 4100),
    ],
    'violated: one that was answered while the awaited execution surely continued': byOwnClock(
      ended(2.213, 0.013),
      2.1,
    ),
    'inconclusive: a synchronous start, created long before the end of the holder of the group, by another clock':
      beside('running', ended(3.5)),
    'inconclusive: one that was created beside the awaited execution, by another clock': beside(
      'running',
      ended(3.5),
      waitedFor,
    ),
    'inconclusive: one that was created before that': beside('running', ended(3.5, 2.1), waitedFor),
    'inconclusive: one that was created beside the waiting one itself': beside('queued', ended(3.5), waitedFor),
    'violated: two that were started together': {
      given: [
        hold,
        {
          ...hold,
          at: 1001,
          body: { executionId: ids.pool, status: 'starting' },
          mark: { scenario: 'capacity', step: 'rival' },
        },
        reading('running', 2100),
        { ...reading('running', 2100), resource: ids.pool },
      ],
      says: ['once 1 executions use the group', '2 executions at the same time'],
    },
    'satisfied: the same, beside one that was refused in time': [
      hold,
      over({ ...tooMany, at: 1500 }),
      over(acceptedToo),
      reading('completed', 2100),
    ],
    ...inGroup(2, {}),
    'inconclusive: a refusal, when the group was not filled either': [
      { ...refused, mark: hold.mark ?? {} },
      over(refused),
    ],
    'ignored: a group that is not full': [hold],
  }),
  'temp-files-are-never-queued': inGroup(1, {
    'satisfied: a refusal beside a start with temp files': [tempFile, hold, queueFiles(refused)],
    'violated: queued': { given: [tempFile, hold, queueFiles({ ...taken, body: queued })], says: 'status queued' },
    'violated, violated: read as queued': {
      given: [hold, queueFiles(acceptedToo), { ...reading('queued', 2100), resource: other }, reading('running', 2100)],
      says: 'status queued',
    },
    'ignored: a refusal, while temp files are always refused': [hold, queueFiles(refused)],
    'inconclusive: no answer': [queueFiles({ operation: 'execute' })],
    'ignored: recorded: queued without temp files': [{ ...taken, sent: { ...files, tempFiles: [] }, body: queued }],
    'ignored: recorded: temp files without onCapacityLimit queue': [
      { ...taken, sent: { tempFiles: files.tempFiles }, body: queued },
    ],
  }),
  'deleted-pool-cannot-run': {
    ...each(refusalRows('deleted-pool-cannot-run'), (one) => ({ ...one, given: [pool(204), ...one.given] })),
    'ignored: a pool that was not deleted': [pool(403), probe('deleted-pool-cannot-run', taken)],
  },
} satisfies Tables;
