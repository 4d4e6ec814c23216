import { expect, test } from 'vitest';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { transitions } from '../../../../conformance/suite/executions/gaps.js';
import { gather } from '../../../../conformance/suite/views.js';
import { exchange, ids, type Sketch } from '../../../support/evidence.js';

const start = (status: string): Sketch => ({
  operation: 'execute',
  status: 202,
  body: { executionId: ids.execution, status },
});
const sync = (status: string): Sketch => ({ ...start(status), operation: 'executeSync' });
const read = (status: unknown, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'getExecution',
  status: 200,
  body: { status },
  ...more,
});

const seen = (given: readonly Sketch[]) =>
  transitions(gather(given.map((one): Exchange => exchange(one)))).map(
    ({ from, to, count, standing }) => `${from} → ${to} ${count} ${standing}`,
  );

test.each([
  ['a start', [start('starting')], ['null → starting 1 documented']],
  ['a start that is queued', [start('queued')], ['null → queued 1 documented']],
  ['a start in an undocumented state', [start('running')], ['null → running 1 undocumented']],
  ['the status at the return of a synchronous start is not the first one', [sync('completed')], []],
  ['a step after it', [sync('paused'), read('running')], ['paused → running 1 undocumented']],
  [
    'steps of an execution that existed before',
    [read('starting'), read('running')],
    ['starting → running 1 undocumented'],
  ],
  ['leaving the queue for any state', [read('queued'), read('running')], ['queued → running 1 documented']],
  ['leaving the queue for an end', [read('queued'), read('completed')], ['queued → completed 1 undocumented']],
  ['leaving an end', [read('completed'), read('running')], ['completed → running 1 forbidden']],
  ['one end after another', [read('failed'), read('completed')], ['failed → completed 1 forbidden']],
  ['the same state again is not a step', [read('running'), read('running')], []],
  [
    'steps of several executions are added up',
    [
      read('starting'),
      read('running'),
      read('starting', { resource: ids.pool }),
      read('running', { resource: ids.pool }),
    ],
    ['starting → running 2 undocumented'],
  ],
  [
    'by the order of the states',
    [
      read('paused'),
      read('running'),
      read('completed'),
      read('queued', { resource: ids.pool }),
      read('starting', { resource: ids.pool }),
    ],
    ['queued → starting 1 documented', 'running → completed 1 undocumented', 'paused → running 1 undocumented'],
  ],
  [
    'answers other than readings are ignored',
    [
      read('starting'),
      { operation: 'getExecution', status: 500, body: { status: 'failed' } },
      read('done'),
      read('running'),
    ],
    ['starting → running 1 undocumented'],
  ],
  [
    'concurrent readings have no order',
    [
      read('completed', { at: 0, durationMs: 100 }),
      read('running', { at: 50, durationMs: 10 }),
      read('completed', { at: 200 }),
    ],
    [],
  ],
] as const)('%s', (_, given, want) => {
  expect(seen(given)).toEqual(want);
});
