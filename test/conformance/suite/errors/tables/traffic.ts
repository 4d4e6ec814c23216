import type { Body } from '../../../../../conformance/engine/vocabulary.js';
import { operationIds, operations, type Success } from '../../../../../generated/operations.js';
import { exchange, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { example, started, taken } from '../../../../support/sketches.js';

const text = (body: string): Body => ({
  kind: 'not-json',
  text: body,
  error: 'no JSON',
  bytes: body.length,
});
const saying = (type: string): Sketch => ({ ...taken, headers: { 'content-type': type } });
const page = (status: number, mark: Sketch['mark'] = {}, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'execute',
  status,
  rawBody: text('<html>'),
  mark,
  ...more,
});
const failed = { kind: 'broken', message: 'The connection broke.' } as const;
const refusedWith = (body: object): Sketch => ({ operation: 'execute', status: 400, body });

/** Not sent by the suite: what is known of the key is in the headers. */
const recorded = (headers: Record<string, string>) => {
  const one = exchange(taken);
  return { ...one, request: { ...one.request, headers } };
};

export const traffic = {
  'responses-are-json': {
    'satisfied: application/json': [taken],
    'violated: a page': {
      given: [{ operation: 'execute', status: 500, rawBody: text('<html>') }],
      says: '500 with a body that is not JSON: "<html>"',
    },
    'ignored: the page of a router for a malformed id': [page(404, {}, { resource: 'not-a-uuid' })],
    'ignored: the page of a firewall for many wrong keys': [page(403, { credential: 'invalid' })],
    'violated: a page for a key without the permission': [page(403, { credential: 'restricted' })],
    'ignored: no body': [{ operation: 'execute', status: 204 }],
    'ignored: the page of a redirect': [page(301)],
    'ignored: an answer to a path of no operation': [{ operation: null, status: 404, rawBody: text('no') }],
  },

  'json-is-labelled': {
    'satisfied: application/json': [taken],
    'violated: JSON with a text media type': { given: [saying('text/plain')], says: 'actual: "text/plain"' },
    'ignored: a page': [{ operation: 'execute', status: 500, rawBody: text('<html>') }],
  },

  'optional-fields-are-not-null': {
    'satisfied: no null': [taken],
    'violated: in an error': { given: [refusedWith({ code: 400, message: 'm', detail: null })], says: '/detail' },
    'ignored: a page': [{ operation: 'execute', status: 500, rawBody: text('<html>') }],
  },

  'response-matches-schema': {
    'satisfied: a copy, whatever the success status': [
      { operation: 'duplicateProfile', status: 200, body: example('duplicateProfile', 'duplicate') },
    ],
    'satisfied: the body of one of two, with a status that is not listed': [
      { operation: 'executeSync', status: 201, body: { ...started, status: 'completed' } },
    ],
    'violated: a status that is not listed, without the body': {
      given: [{ operation: 'updateProfile', sent: {}, status: 204 }],
      says: ['the 2xx body of updateProfile', '204 without a body'],
    },
    'violated: an invalid status': {
      given: [{ ...taken, body: { ...started, status: 'done' } }],
      says: ['the 202 body of execute', '/status is "done", not one of starting, queued'],
    },
    'ignored: a refusal': [{ operation: 'execute', status: 400, body: {} }],
    'ignored: a success without a body': operationIds
      .filter((id) => Object.values<Success>(operations[id].successes).every(({ schema }) => schema === null))
      .map((operation) => ({ operation, status: 200, body: { anything: true } })),
    'ignored: a path of no operation': [{ operation: null, status: 200, body: {} }],
  },

  'status-is-documented': {
    'satisfied: a status that is listed': [taken],
    'satisfied: a status in a range': [{ operation: 'execute', status: 422, body: {} }],
    'violated: another success': {
      given: [{ operation: 'execute', status: 200, body: started }],
      says: ['one of 202, 401, 403, 4XX, 5XX', 'actual: 200'],
    },
    'ignored: a gateway': [{ operation: 'getExecution', status: 504 }],
  },

  'no-server-errors': {
    'satisfied: a path of no operation': [{ operation: null, status: 404 }],
    'ignored: a gateway timeout': [{ operation: 'executeSync', status: 504 }],
    'violated: a timeout with an error body of the service': [
      { operation: 'executeSync', status: 504, body: { code: 504, message: 'm' } },
    ],
    'violated: a 503 to a start, without a body': [{ operation: 'execute', status: 503 }],
    'ignored: the page of a gateway for a start that is not repeated': [page(502, { credential: 'primary' })],
    'ignored: the page of a gateway for a copy that may have been made': [
      page(502, { credential: 'primary' }, { operation: 'duplicateProfile' }),
    ],
    'violated: the page of a service': [page(500, { credential: 'primary' })],
    'violated: a 503 to a reading': [{ operation: 'getExecution', status: 503, body: { code: 503, message: 'm' } }],
    'ignored: a 503 to a start that may be over capacity': [
      { operation: 'execute', status: 503, body: { code: 1, message: 'Full.' } },
    ],
    'ignored: an answer that was cut off': [{ operation: 'execute', status: 500, failure: failed }],
    'ignored: a method that is not implemented': [{ operation: null, status: 501 }],
  },

  'no-secrets-in-responses': {
    'satisfied: an answer without the key of the request': [{ ...taken, mark: {} }],
    'satisfied: a recording with the key header': [recorded({ accept: '*/*', 'X-Api-Key': '[redacted]' })],
    'violated: an answer with it': { given: [{ ...taken, repeatsKey: true, mark: {} }], says: 'repeats a key' },
    'ignored: no key': [{ ...taken, mark: { credential: 'none' } }],
    'ignored: a recording without key headers': [recorded({ accept: '*/*' })],
    'ignored: no answer': [{ operation: 'execute', failure: failed, mark: {} }],
  },
} satisfies Tables;
