import type { Exchange } from '../../../../../conformance/engine/vocabulary.js';
import { exchange, ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, reading, recorded, start } from '../../../../support/runs.js';

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
  'execution-is-the-one-asked-for': {
    'violated: another id': { given: [reading('running', { id: another.execution })], says: another.execution },
    'violated: another workflow': {
      given: [start(), reading('running', { workflowId: another.workflow })],
      says: 'workflowId',
    },
    'satisfied: a comment of its parent execution': [
      reading('running', { comments: [own, foreign], parentExecutionId: another.execution }),
    ],
    'violated: a result of its parent execution': [
      reading('completed', { executionResult: foreign, parentExecutionId: another.execution }),
    ],
    'ignored: a redirect': [reading('running', { id: another.execution }, { status: 302 })],
  },

  'execution-is-readable-at-once': {
    'violated: not found': { given: [queued({ at: 5e6 }), lost({ at: 5e6 + 2005 })], says: '404' },
    'satisfied: not found at first, by a stale replica': [queued(), lost(), reading('running')],
    'ignored: not queued': [start(), lost()],
  },

  'accepted-execution-is-readable': {
    'satisfied: found, in a recording': [recorded(start()), recorded(reading('starting'))],
    'violated: not found': { given: [start(), lost()], says: '404' },
    'satisfied: deleted long after': [start({}, { at: 0 }), reading('completed', {}, { at: 9 }), lost({ at: hours })],
    'satisfied: hidden from another key': [start(), reading('running'), lost({ mark: { credential: 'restricted' } })],
    'ignored: another refusal': [start(), lost({ status: 500 }), lost({ status: 401 })],
    'ignored: an unknown execution': [lost()],
  },

  'deprecated-urls-agree': {
    'satisfied: both the same': [reading('running', { liveViewUrl: url('a'), browserLiveViewUrl: url('a') })],
    'violated: another URL': {
      given: [reading('running', { liveViewUrl: url('a'), browserLiveViewUrl: url('b') })],
      says: url('b'),
    },
    'violated: only the deprecated field': {
      given: [reading('running', { browserLiveViewUrl: url('a') })],
      says: 'nothing',
    },
    'satisfied: only the deprecated field at first': [
      reading('running', { browserLiveViewUrl: url('a') }),
      reading('running', { liveViewUrl: url('a'), browserLiveViewUrl: url('a') }),
    ],
    'violated, satisfied: another one, while the recording stays': [
      reading('running', { browserLiveViewUrl: url('a') }),
      reading('completed', { recordingUrl: url('b'), browserRecordingUrl: url('b') }),
    ],
    'ignored: none deprecated': [reading('running', { liveViewUrl: url('a') })],
  },

  'script-failures-omitted-when-none': {
    'satisfied: omitted': [reading('running'), reading('completed')],
    'violated: an empty list': { given: [reading('completed', { scriptFailures: [] })], says: '[]' },
    'ignored: failures': [reading('failed', { scriptFailures: [{ occurredAt: '2026-03-02T12:00:00Z' }] })],
  },

  'trigger-is-api': {
    'violated: another source': { given: [start(), trigger({ source: 'manual' })], says: '"manual"' },
    'satisfied, satisfied, violated: another key, later on': {
      given: [start(), reading('running', api), trigger({ source: 'api', apiKey: { id: ids.workflow } })],
      says: 'as of all that the key started',
    },
    'satisfied, satisfied: another key, in a recording': [
      withKey(),
      recorded(reading('running', api)),
      recorded(trigger({ source: 'api', apiKey: { id: ids.workflow } })),
    ],
    'ignored: an execution that another client started': [trigger({ source: 'schedule' })],
    'ignored: a browser without a key': [recorded(start()), recorded(trigger({ source: 'manual' }))],
  },

  'trigger-names-its-key': {
    'satisfied: source api, and the key': [reading('running', api)],
    'violated: a text for the key, in a recording': [recorded(trigger({ source: 'api', apiKey: 'Full' }))],
    'satisfied: the key a little later': [trigger({ source: 'api' }), trigger(api.triggerContext)],
    'ignored: another source': [start(), trigger({ source: 'integration' })],
  },

  'fresh-execution-not-rerun': {
    'satisfied: a rerun by another client after it completed': [start(), reading('completed', { hasBeenRerun: true })],
    'satisfied, satisfied, violated, violated: reruns after they completed, two of them': [
      start(),
      reading('completed', { hasBeenRerun: true }),
      start({}, { body: { executionId: ids.pool, status: 'starting' } }),
      reading('completed', { id: ids.pool, hasBeenRerun: true }, { resource: ids.pool }),
    ],
    'satisfied, satisfied, satisfied: reruns by another client after they were read as completed': [
      start(),
      reading('completed'),
      reading('completed', { hasBeenRerun: true }),
      start({}, { body: { executionId: ids.pool, status: 'starting' } }),
      reading('completed', { id: ids.pool, hasBeenRerun: true }, { resource: ids.pool }),
    ],
    'satisfied: no rerun': [start(), reading('running'), reading('completed')],
    'violated: a rerun, although the suite sent none': {
      given: [start(), reading('running', { hasBeenRerun: true })],
      says: 'hasBeenRerun true',
    },
    'violated: a parent': {
      given: [start(), reading('running', { parentExecutionId: ids.pool })],
      says: 'no parentExecutionId',
    },
    'ignored: an execution that another client started': [
      reading('running', { hasBeenRerun: true, parentExecutionId: ids.pool }),
    ],
  },
} satisfies Tables;
