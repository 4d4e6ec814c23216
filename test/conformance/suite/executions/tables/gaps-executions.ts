import type { ObservableGapId } from '../../../../../generated/rules.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Observations } from '../../../../support/gap-table.js';
import { refused } from '../../../../support/sketches.js';

const other = '0c2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';
const start = (status: string, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'execute',
  status: 202,
  body: { executionId: ids.execution, status },
  ...more,
});
const read = (status: string, more: object = {}, resource: string = ids.execution): Sketch => ({
  operation: 'getExecution',
  resource,
  status: 200,
  body: { status, ...more },
});
const reads = (...states: string[]) => states.map((state) => read(state));
const readsOfOther = (...states: string[]) => states.map((state) => read(state, {}, other));

const sync = (status: string, durationMs: number, timeoutSeconds?: number): Sketch => ({
  ...start(status),
  operation: 'executeSync',
  durationMs,
  sent: { timeoutSeconds },
});
const listing = (...files: object[]): Sketch => ({
  operation: 'listExecutionFiles',
  status: 200,
  body: { directories: { downloads: files, debug: [] } },
});
const filesRefused = (body: object): Sketch => ({ operation: 'listExecutionFiles', status: 404, body });
const standardRefused = (body: object): Sketch => ({ ...refused, body });
const variantStart = (variantKey: string) => start('starting', { sent: { executionOptions: { variantKey } } });

const pauses = { workflows: { pauses: ids.workflow } };

/** What executions and answers show by themselves. */
export const executionGaps = {
  'state-after-queued': {
    'the state': { given: [start('queued'), ...reads('queued', 'starting')], says: 'starting' },
    'no state that may have been reached through an unseen one': [
      ...reads('queued', 'running'),
      ...readsOfOther('starting', 'running'),
    ],
  },
  'other-transitions': {
    'the steps': {
      given: [start('starting'), ...reads('running', 'completed')],
      says: ['running → completed', 'starting → running'],
    },
    'no step that other steps explain': {
      given: [...reads('starting', 'running', 'completed'), ...readsOfOther('starting', 'completed')],
      says: ['running → completed', 'starting → running'],
    },
    'an undocumented first state': { given: [start('running')], says: 'start → running' },
    'no documented and no forbidden state': [
      start('queued'),
      ...reads('starting'),
      ...readsOfOther('completed', 'running'),
    ],
  },
  'status-read-while-queued': {
    another: { given: [start('queued'), ...reads('starting', 'running')], says: 'starting' },
    'queued, although another had left the queue': {
      given: [
        start('queued'),
        ...reads('starting'),
        start('queued', { body: { executionId: other, status: 'queued' } }),
        ...readsOfOther('queued'),
      ],
      says: 'queued',
    },
    'no execution that was not queued': [start('starting'), ...reads('starting')],
  },
  'sync-returns-on-pause': {
    'at once': { given: [sync('paused', 1200, 5)], says: 'paused: at once' },
    'after the wait': {
      given: [sync('awaiting_confirmation', 5010, 5)],
      says: 'awaiting_confirmation: after the wait',
    },
    'no execution that continues': { given: [sync('running', 5000, 5)], says: [], facts: pauses },
    'skipped, in an execution that has it': {
      given: [{ ...sync('completed', 2000, 5), mark: {} }],
      says: 'paused: after the wait',
      facts: pauses,
    },
  },
  'trigger-sources': {
    'beside api': {
      given: [
        read('running', { triggerContext: { source: 'schedule' } }),
        read('running', { triggerContext: { source: 'api' } }),
      ],
      says: 'schedule',
    },
    'api only': { given: [read('running', { triggerContext: { source: 'api' } })], says: 'api only' },
    none: [read('running'), read('running', { triggerContext: { source: 5 } })],
  },
  'file-created-by': {
    'no value of a single execution or of a person': {
      given: [listing({ createdBy: 'ada@example.com', directory: `/runs/${ids.execution.toUpperCase()}/out` })],
      says: ['createdBy: {email}', 'directory: /runs/{id}/out'],
    },
    'long texts cut': { given: [listing({ createdBy: 'x'.repeat(99) })], says: `createdBy: ${'x'.repeat(59)}…` },
  },
  'variant-key-slug': {
    'the stored form, at the last reading': {
      given: [
        variantStart('A b'),
        read('starting'),
        read('completed', { executionOptions: { sharedStorageKey: 'a-b' } }),
      ],
      says: 'A b → a-b',
    },
    'without values that only this run sent': {
      given: [
        variantStart('A b 7ea5e613'),
        read('completed', { executionOptions: { sharedStorageKey: 'a-b-7ea5e613-a' } }),
      ],
      says: 'A b {id} → a-b-{id}-a',
    },
    missing: { given: [variantStart('A b'), read('completed')], says: 'A b → not shown' },
    'nothing without a key': [
      start('starting', { sent: {} }),
      read('completed', { executionOptions: { sharedStorageKey: 'a-b' } }),
    ],
  },
  'unstated-required-fields': {
    'the common fields': {
      given: [
        read('running', {
          humanLabels: [{ id: '1', name: 'n', color: 'c' }],
          triggerContext: { source: 'api', runner: { userId: '1', email: 'e' } },
        }),
        read('running', {
          humanLabels: [{ name: 'n', id: '2' }],
          triggerContext: { source: 'api', runner: { userId: '1' } },
        }),
      ],
      says: ['human label: id, name', 'runner: userId'],
    },
    'the fields of every one': {
      given: [read('running', { humanLabels: [{ id: '1', name: 'n' }, { id: '2', name: 'n' }, { id: '3' }] })],
      says: 'human label: id',
    },
    none: { given: [read('running', { humanLabels: [{ id: '1' }, { name: 'n' }] })], says: 'human label: none' },
  },
  'files-error-body': {
    simple: { given: [filesRefused({ code: 404, message: 'm' })], says: 'simple' },
    standard: { given: [filesRefused({ code: 404, message: 'm', title: 't' })], says: 'standard' },
    'no other operation, success or rate limit': [
      refused,
      listing(),
      { ...filesRefused({ code: 1, message: 'm' }), status: 429 },
    ],
  },
  'standard-error-optional-fields': {
    'all observed ones': {
      given: [
        standardRefused({ code: 1, message: 'm', title: 't' }),
        standardRefused({ code: 1, message: 'm', detail: 'm', hint: 'h' }),
      ],
      says: ['detail', 'title'],
    },
    none: { given: [refused], says: 'none' },
    'no other operation': [filesRefused({ code: 1, message: 'm', title: 't' })],
  },
  'rate-limit-headers': {
    'their names': {
      given: [
        {
          ...refused,
          headers: {
            'x-ratelimit-limit': '5',
            'retry-after': '1',
            ratelimit: 'r',
            'x-rate-limit-reset': '1',
            'x-ratelimiter': 'no',
          },
        },
      ],
      says: ['ratelimit', 'retry-after', 'x-rate-limit-reset', 'x-ratelimit-limit'],
    },
    none: { given: [refused], says: 'none' },
  },
} satisfies { readonly [gap in ObservableGapId]?: Observations };
