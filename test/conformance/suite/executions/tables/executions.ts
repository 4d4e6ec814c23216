import type { Exchange } from '../../../../../conformance/engine/vocabulary.js';
import { exchange, ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, reading, recorded, start, sync } from '../../../../support/runs.js';

const own = { executionId: ids.execution };
const foreign = { executionId: another.execution };
const queued = (more: Partial<Sketch> = {}) =>
  start({}, { body: { executionId: ids.execution, status: 'queued' }, ...more });
const lost = (more: Partial<Sketch> = {}): Sketch => ({
  operation: 'getExecution',
  status: 404,
  body: { code: 404, message: 'Not found.' },
  mark: { step: 'read' },
  ...more,
});
const hours = 3_600_000;
const url = (name: string) => `https://example.com/${name}`;
const api = { triggerContext: { source: 'api', apiKey: { id: ids.pool, name: 'Key' } } };
/** A start that a recording shows with the header that carries the key. */
const withKey = (): Exchange => {
  const one = exchange(recorded(start()));
  return { ...one, request: { ...one.request, headers: { 'x-api-key': '…' } } };
};
const trigger = (triggerContext: unknown) => reading('running', { triggerContext });

export const executions = {
  'execution-is-the-one-asked-for': [
    ['kept', 'its own id', [reading('running')]],
    ['kept', 'the workflow that was started', [start(), reading('running')]],
    ['kept', 'its own comments and result', [reading('completed', { comments: [own, own], executionResult: own })]],
    ['kept', 'an id in capitals', [reading('running', { id: ids.execution.toUpperCase() })]],
    ['kept', 'another workflow, where the start was not seen', [reading('running', { workflowId: another.workflow })]],
    ['broken', 'another id', [reading('running', { id: another.execution })], { says: another.execution }],
    [
      'broken',
      'another workflow',
      [start(), reading('running', { workflowId: another.workflow })],
      { says: 'workflowId' },
    ],
    ['broken', 'a comment of another', [reading('running', { comments: [own, foreign] })], { says: another.execution }],
    [
      'kept',
      'a comment of the execution that it is a rerun of',
      [reading('running', { comments: [own, foreign], parentExecutionId: another.execution })],
    ],
    [
      'broken',
      'a result of the execution that it is a rerun of',
      [reading('completed', { executionResult: foreign, parentExecutionId: another.execution })],
    ],
    ['broken', 'a result of another', [reading('completed', { executionResult: foreign })]],
    [['kept', 'broken'], 'one of two readings', [reading('running'), reading('running', { id: another.execution })]],
    ['untouched', 'no reading', [lost()]],
    ['untouched', 'a redirect', [reading('running', { id: another.execution }, { status: 302 })]],
    [
      'kept',
      'another workflow in the place of one that does not exist: workflow-must-exist speaks of it',
      [
        start({}, { mark: { probe: { rule: 'workflow-must-exist', fault: '', twins: [] } } }),
        reading('running', { workflowId: another.workflow }),
      ],
    ],
  ],

  'execution-is-readable-at-once': [
    ['kept', 'found', [queued(), reading('queued')]],
    ['kept', 'found after a synchronous start', [sync(202, { status: 'queued' }), reading('running')]],
    ['broken', 'not found', [queued({ at: 5e6 }), lost({ at: 5e6 + 2005 })], { says: '404' }],
    ['kept', 'not found at first, as a replica is behind', [queued(), lost(), reading('running')]],
    ['untouched', 'not queued', [start(), lost()]],
    ['untouched', 'another refusal', [queued(), lost({ status: 500 })]],
  ],

  'accepted-execution-is-readable': [
    ['kept', 'found', [start(), reading('starting')]],
    ['kept', 'found after a synchronous start', [sync(202, { status: 'running' }), reading('running')]],
    ['kept', 'found, in a recording', [recorded(start()), recorded(reading('starting'))]],
    ['broken', 'not found', [start(), lost()], { says: '404' }],
    [['broken', 'kept'], 'not found at first', [start(), lost(), reading('running')]],
    [
      ['kept', 'broken'],
      'lost soon',
      [start({}, { at: 0 }), reading('completed', {}, { at: 9 }), lost({ at: hours - 1 })],
    ],
    ['kept', 'dropped long after', [start({}, { at: 0 }), reading('completed', {}, { at: 9 }), lost({ at: hours })]],
    ['kept', 'hidden from another key', [start(), reading('running'), lost({ mark: { credential: 'restricted' } })]],
    ['broken', 'queued, and not found', [queued(), lost()], { says: '404' }],
    ['untouched', 'another refusal', [start(), lost({ status: 500 }), lost({ status: 401 })]],
    ['untouched', 'an unknown execution', [lost()]],
    ['untouched', 'read before the start was answered', [start({}, { at: 0, durationMs: 50 }), lost({ at: 10 })]],
  ],

  'deprecated-urls-agree': [
    ['kept', 'both the same', [reading('running', { liveViewUrl: url('a'), browserLiveViewUrl: url('a') })]],
    ['kept', 'both recordings', [reading('completed', { recordingUrl: url('b'), browserRecordingUrl: url('b') })]],
    [
      'broken',
      'another URL',
      [reading('running', { liveViewUrl: url('a'), browserLiveViewUrl: url('b') })],
      { says: url('b') },
    ],
    ['broken', 'another recording', [reading('completed', { recordingUrl: url('a'), browserRecordingUrl: url('b') })]],
    ['broken', 'the deprecated one alone', [reading('running', { browserLiveViewUrl: url('a') })], { says: 'nothing' }],
    ['untouched', 'none deprecated', [reading('running', { liveViewUrl: url('a') })]],
    ['untouched', 'null for none', [reading('running', { browserLiveViewUrl: null })]],
  ],

  'script-failures-omitted-when-none': [
    ['kept', 'omitted', [reading('running'), reading('completed')]],
    ['broken', 'an empty list', [reading('completed', { scriptFailures: [] })], { says: '[]' }],
    ['untouched', 'failures', [reading('failed', { scriptFailures: [{ occurredAt: '2026-03-02T12:00:00Z' }] })]],
    ['untouched', 'no reading', [lost()]],
    ['untouched', 'an empty text: the schema says so', [reading('completed', { scriptFailures: '' })]],
  ],

  'trigger-is-api': [
    ['kept', 'source api, and the key', [start(), reading('running', api)]],
    ['broken', 'another source', [start(), trigger({ source: 'manual' })], { says: '"manual"' }],
    ['broken', 'no source', [start(), trigger({ apiKey: api.triggerContext.apiKey })]],
    [
      ['kept', 'kept', 'broken'],
      'another key, later on',
      [start(), reading('running', api), trigger({ source: 'api', apiKey: { id: ids.workflow } })],
      { says: 'as of all that the key started' },
    ],
    [
      ['kept', 'kept'],
      'another key, in a recording',
      [
        withKey(),
        recorded(reading('running', api)),
        recorded(trigger({ source: 'api', apiKey: { id: ids.workflow } })),
      ],
    ],
    [
      ['kept', 'kept', 'broken'],
      'another runner',
      [
        start(),
        trigger({ source: 'api', runner: { userId: ids.pool } }),
        trigger({ source: 'api', runner: { userId: ids.workflow } }),
      ],
      { says: 'the runner' },
    ],
    ['untouched', 'no trigger shown', [start(), reading('running')]],
    ['untouched', 'an execution that somebody else started', [trigger({ source: 'schedule' })]],
    ['untouched', 'a browser without a key', [recorded(start()), recorded(trigger({ source: 'manual' }))]],
    ['broken', 'another source, in a recording with a key', [withKey(), recorded(trigger({ source: 'manual' }))]],
    ['broken', 'a word for a trigger', [start(), trigger('api')]],
    [
      'untouched',
      'a start with another key: the suite has none that may',
      [start({}, { mark: { credential: 'swapped' } }), trigger({ source: 'manual' })],
    ],
  ],

  'trigger-names-its-key': [
    ['kept', 'source api, and the key', [reading('running', api)]],
    ['kept', 'a key without a name', [trigger({ source: 'api', apiKey: { id: ids.pool } })]],
    ['broken', 'no key', [start(), trigger({ source: 'api' })]],
    ['broken', 'a text for the key, in a recording', [recorded(trigger({ source: 'api', apiKey: 'Full' }))]],
    ['untouched', 'another source', [start(), trigger({ source: 'integration' })]],
    ['untouched', 'no trigger shown', [start(), reading('running')]],
  ],

  'fresh-execution-not-rerun': [
    ['kept', 'rerun by the service when it has failed', [start(), reading('failed', { hasBeenRerun: true })]],
    ['kept', 'rerun by the service when it was cancelled', [start(), reading('cancelled', { hasBeenRerun: true })]],
    ['kept', 'rerun by somebody when it has completed', [start(), reading('completed', { hasBeenRerun: true })]],
    [
      ['kept', 'kept', 'broken', 'broken'],
      'rerun when they have completed, two of them',
      [
        start(),
        reading('completed', { hasBeenRerun: true }),
        start({}, { body: { executionId: ids.pool, status: 'starting' } }),
        reading('completed', { id: ids.pool, hasBeenRerun: true }, { resource: ids.pool }),
      ],
    ],
    ['kept', 'not rerun', [start(), reading('running'), reading('completed')]],
    [
      'kept',
      'rerun by somebody else, in a recording',
      [recorded(start()), recorded(reading('completed', { hasBeenRerun: true }))],
    ],
    [
      'broken',
      'rerun, though the suite did not',
      [start(), reading('running', { hasBeenRerun: true })],
      { says: 'hasBeenRerun true' },
    ],
    [
      'broken',
      'a parent',
      [start(), reading('running', { parentExecutionId: ids.pool })],
      { says: 'no parentExecutionId' },
    ],
    [
      'broken',
      'a parent, in a recording',
      [recorded(start()), recorded(reading('running', { parentExecutionId: ids.pool }))],
    ],
    [
      'untouched',
      'an execution that somebody else started',
      [reading('running', { hasBeenRerun: true, parentExecutionId: ids.pool })],
    ],
    ['untouched', 'no reading', [start(), lost()]],
  ],
} satisfies Tables;
