/** Faults in what holds for every answer. */

import { operations } from '../../../generated/operations.js';
import {
  answering,
  changing,
  explaining,
  failing,
  giving,
  isFields,
  isRefusal,
  restated,
  showing,
  shownKey,
  undocumented,
} from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const typed = (type: string) => ({ 'Content-Type': type });

export const answerFaults: readonly Fault[] = [
  ...breaking('responses-are-json', {
    'errors-are-html': [
      (base) => ({
        serialise: (operation, answer) =>
          isRefusal(answer) ? '<!doctype html><title>Error</title>' : base.serialise(operation, answer),
        answer: (_call, answer) => (isRefusal(answer) ? { ...answer, headers: typed('text/html') } : answer),
      }),
      'standard-error-shape',
      'simple-error-shape',
      'files-error-shape',
      'unknown-execution-files-is-404',
    ],
    'duplicates-are-cut-off': [
      changing('serialise', (text, operation, answer) =>
        operation === 'duplicateProfile' && !isRefusal(answer) ? (text?.slice(0, -20) ?? null) : text,
      ),
      'response-matches-schema',
      'duplicate-is-new',
    ],
    'pool-deletion-says-ok': [
      (base) => ({
        ...answering((answer, { operation }) =>
          operation === 'deletePool' && answer.status < 300 ? { status: 200, body: 'OK' } : answer,
        )(base),
        serialise: (operation, answer) => (answer.body === 'OK' ? 'OK' : base.serialise(operation, answer)),
      }),
      ...undocumented('deletePool', 200),
    ],
    'plain-text-is-refused-as-a-page': (base) => ({
      serialise: (operation, answer) =>
        answer.status === 415 ? 'Unsupported Media Type' : base.serialise(operation, answer),
    }),
  }),
  ...breaking('json-is-labelled', {
    'errors-are-plain-text': answering((answer) =>
      isRefusal(answer) ? { ...answer, headers: typed('text/plain') } : answer,
    ),
    'listings-are-octets': answering((answer, { operation }) =>
      operation === 'listExecutionFiles' ? { ...answer, headers: typed('application/octet-stream') } : answer,
    ),
  }),
  ...breaking('optional-fields-are-not-null', {
    'unset-fields-are-null': showing((one) => ({ agentProfileId: null, ...one })),
    'standard-errors-have-nulls': explaining('Standard', (error) => ({
      detail: null,
      errors: null,
      type: null,
      ...error,
    })),
  }),
  ...breaking('status-is-documented', {
    'sync-answers-201': [
      answering((answer, { operation }) =>
        operation === 'executeSync' && answer.status === 200 ? { ...answer, status: 201 } : answer,
      ),
      'sync-200-means-terminal',
    ],
    'updates-say-nothing': [
      answering((answer, { operation }) =>
        operation === 'updateProfile' && answer.status === 200 ? { status: 204 } : answer,
      ),
      'response-matches-schema',
    ],
    'empty-listings-are-204': [
      giving('answer', (answer) => {
        const { directories } = isFields(answer.body) ? answer.body : {};
        const isEmpty = isFields(directories) && Object.values(directories).flat().length === 0;
        return isEmpty ? { status: 204 } : answer;
      }),
      'response-matches-schema',
    ],
  }),
  ...breaking('no-server-errors', {
    'missing-bodies-are-500': answering((answer, { operation, headers }) =>
      operations[operation].requestBody === 'required' && answer.status === 400 && !headers.has('content-type')
        ? restated(answer, 500)
        : answer,
    ),
    'null-bodies-are-500': [
      failing('violations', (_operation, body) => body === null && new Error('The body was not understood.')),
      'refusals-are-client-errors',
    ],
    'unknown-fields-of-starts-are-500': failing(
      'unknownFields',
      (body, known) =>
        known.has('metadata') &&
        Object.keys(body).some((field) => !known.has(field)) &&
        new Error('The field could not be written.'),
    ),
    'updates-of-unknown-credentials-are-500': (base) => ({
      updateCredentials: (credentials, updates) => {
        try {
          return base.updateCredentials(credentials, updates);
        } catch {
          throw new Error('The credential was not found.');
        }
      },
    }),
    'cookies-that-are-there-are-500': failing('addCookies', (cookies, added) => {
      const isThere = added.some((one) =>
        cookies.some(({ name, domain }) => name === one.name && domain === one.domain),
      );
      return isThere && new Error('The cookie could not be written.');
    }),
    'null-bodies-of-duplicates-are-500': [
      failing(
        'violations',
        (operation, body) =>
          operation === 'duplicateProfile' && body === null && new Error('The body was not understood.'),
      ),
      'refusals-are-client-errors',
    ],
    'deleting-a-gone-pool-is-500': [
      changing('findPool', (pool) => {
        if (!pool) throw new Error('The pool was not understood.');
        return pool;
      }),
      'refusals-are-client-errors',
      'unknown-pool-is-404',
      'deleted-pool-is-gone',
    ],
    'files-of-queued-executions-are-500': failing(
      'presentFiles',
      (run) => run.status === 'queued' && new Error('The files could not be listed.'),
    ),
  }),
  ...breaking('no-secrets-in-responses', {
    'answers-send-the-key-back': answering((answer, call) => ({
      ...answer,
      headers: { ...answer.headers, 'X-Request-Key': shownKey(call) ?? 'none' },
    })),
    'errors-quote-the-key': answering((answer, call) =>
      answer.status === 404
        ? { ...answer, body: { code: 404, message: `It was not found with the key ${shownKey(call)}.` } }
        : answer,
    ),
    'trigger-shows-the-key': (base) => ({
      triggerOf: (key) => ({
        ...base.triggerOf(key),
        source: 'api',
        apiKey: { id: key.id, name: key.secret },
      }),
    }),
  }),
];
