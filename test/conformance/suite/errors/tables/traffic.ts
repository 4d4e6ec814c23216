import type { Body } from '../../../../../conformance/engine/vocabulary.js';
import { exchange, ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { reading } from '../../../../support/runs.js';
import { example, probe, started, taken } from '../../../../support/sketches.js';

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

/** A request that says of its body that it is no JSON. */
const plainText = (status: number) => {
  const one = exchange({ operation: 'updateProfile', sent: {}, status, body: { code: status, message: 'm' } });
  return { ...one, request: { ...one.request, headers: { 'Content-Type': 'text/plain' } } };
};

const occurredAt = '2026-03-02T12:00:01Z';
const result = {
  id: ids.profile,
  executionId: ids.execution,
  outcome: 'success',
  reasoning: 'r',
  result: null,
  createdAt: occurredAt,
};
const refusedWith = (body: object): Sketch => ({ operation: 'execute', status: 400, body });

/** Not sent by the suite: what is known of the key is in the headers. */
const recorded = (headers: Record<string, string>) => {
  const one = exchange(taken);
  return { ...one, request: { ...one.request, headers } };
};

export const traffic = {
  'responses-are-json': [
    ['kept', 'application/json', [taken]],
    ['kept', 'JSON under another media type', [saying('text/plain')]],
    [
      'broken',
      'a page',
      [{ operation: 'execute', status: 500, rawBody: text('<html>') }],
      { says: '500 with a body that is not JSON: "<html>"' },
    ],
    ['untouched', 'the page of a router for what is no id', [page(404, {}, { resource: 'not-a-uuid' })]],
    ['untouched', 'the page of a firewall for an odd body', [page(403, { odd: true })]],
    ['untouched', 'the page of a firewall for many wrong keys', [page(403, { credential: 'invalid' })]],
    ['broken', 'a page for a key that may not', [page(403, { credential: 'restricted' })]],
    ['untouched', 'the page of a gateway that takes no large bodies', [page(413)]],
    ['untouched', 'no body', [{ operation: 'deletePool', status: 204 }]],
    ['untouched', 'no answer', [{ operation: 'execute', failure: failed }]],
    ['untouched', 'a body that was cut off', [{ ...taken, rawBody: text('{"execut'), failure: failed }]],
    ['untouched', 'what a path that is no operation answers', [{ operation: null, status: 404, rawBody: text('no') }]],
    ['untouched', 'a rate limit', [{ operation: 'execute', status: 429, rawBody: text('slow down') }]],
    ['untouched', 'an outage', [{ operation: 'execute', status: 503, rawBody: text('no healthy upstream') }]],
    ['untouched', 'a gateway', [{ operation: 'executeSync', status: 504, rawBody: text('<html>') }]],
    ['untouched', 'what was sent again', [{ ...taken, rawBody: text('<'), mark: { superseded: true } }]],
  ],

  'json-is-labelled': [
    ['kept', 'application/json', [taken]],
    ['kept', 'a charset, in any case', [saying('Application/JSON; charset=utf-8')]],
    ['kept', 'a type that ends in +json', [saying('application/problem+json')]],
    ['kept', 'the older text/json', [saying('text/json')]],
    ['broken', 'another type of text', [saying('text/jsonc')]],
    ['broken', 'JSON that says it is text', [saying('text/plain')], { says: 'seen "text/plain"' }],
    ['broken', 'JSON that only begins like it', [saying('application/jsonp')]],
    ['broken', 'JSON that does not say so', [saying('')]],
    ['untouched', 'a page', [{ operation: 'execute', status: 500, rawBody: text('<html>') }]],
    ['untouched', 'no body', [{ operation: 'deletePool', status: 204 }]],
    ['untouched', 'what was sent again', [{ ...saying('text/plain'), mark: { superseded: true } }]],
  ],

  'optional-fields-are-not-null': [
    ['kept', 'none that is null', [taken]],
    ['kept', 'a result that is null, which may be any value', [reading('completed', { executionResult: result })]],
    ['kept', 'an error without them', [refusedWith({ code: 400, message: 'm' })]],
    ['kept', 'a field of tomorrow that is null', [reading('running', { priority: null })]],
    [
      'broken',
      'one that is',
      [reading('completed', { agentProfileId: null, executionOptions: { sharedStorageKey: null } })],
      { says: ['/agentProfileId', '/executionOptions/sharedStorageKey'] },
    ],
    ['broken', 'in an item of a list', [reading('completed', { scriptFailures: [{ occurredAt, step: null }] })]],
    ['broken', 'in an error', [refusedWith({ code: 400, message: 'm', detail: null })], { says: '/detail' }],
    ['untouched', 'no body', [{ operation: 'deletePool', status: 204 }]],
    ['untouched', 'a page', [{ operation: 'execute', status: 500, rawBody: text('<html>') }]],
  ],

  'response-matches-schema': [
    ['kept', 'null for optional fields', [reading('completed', { agentProfileId: null, scriptFailures: null })]],
    ['broken', 'null for a required field', [reading('completed', { agentName: null })], { says: 'agentName' }],
    ['broken', 'null for an item of a list', [reading('completed', { comments: [null] })]],
    ['kept', 'null for a trigger’s fields', [reading('running', { triggerContext: { source: 'api', apiKey: null } })]],
    ['kept', 'a started execution', [taken]],
    ['kept', 'fields of tomorrow', [{ ...taken, body: { ...started, priority: 1 } }]],
    [
      'kept',
      'a copy, whatever the success status',
      [{ operation: 'duplicateProfile', status: 200, body: example('duplicateProfile', 'duplicate') }],
    ],
    ['kept', 'a status that is not listed, with the same body', [{ ...taken, status: 200 }]],
    [
      'kept',
      'the body of one of two, with a status that is not listed',
      [{ operation: 'executeSync', status: 201, body: { ...started, status: 'completed' } }],
    ],
    [
      'broken',
      'a status that is not listed, without the body',
      [{ operation: 'updateProfile', sent: {}, status: 204 }],
      { says: ['the 2xx body of updateProfile', '204 without a body'] },
    ],
    ['broken', 'no listing', [{ operation: 'listExecutionFiles', status: 204 }]],
    ['untouched', 'a redirect', [{ operation: 'getExecution', status: 304 }]],
    [
      'broken',
      'a status that is none',
      [{ ...taken, body: { ...started, status: 'done' } }],
      { says: ['the 202 body of execute', '/status is "done", not one of starting, queued'] },
    ],
    [
      'broken',
      'a field that is missing',
      [{ ...taken, body: { executionId: ids.execution } }],
      { says: 'the body lacks status' },
    ],
    ['broken', 'no body', [{ operation: 'getExecution', status: 200 }], { says: '200 without a body' }],
    ['broken', 'a list', [{ ...taken, body: [] }], { says: 'the body is [], not of type object' }],
    ['broken', 'no JSON', [{ operation: 'getExecution', status: 200, rawBody: text('ok') }]],
    ['untouched', 'a refusal', [{ operation: 'execute', status: 400, body: {} }]],
    ['untouched', 'a deleted pool', [{ operation: 'deletePool', status: 200, body: { anything: true } }]],
    ['untouched', 'a path that is no operation', [{ operation: null, status: 200, body: {} }]],
  ],

  'status-is-documented': [
    ['kept', 'a status that is listed', [taken]],
    ['kept', 'a status in a range', [{ operation: 'execute', status: 422, body: {} }]],
    ['kept', 'a success in a range', [{ operation: 'deletePool', status: 204 }]],
    [
      'broken',
      'another success',
      [{ operation: 'execute', status: 200, body: started }],
      { says: ['one of 202, 401, 403, 4XX, 5XX', 'seen 200'] },
    ],
    ['broken', 'a redirect', [{ operation: 'getExecution', status: 302 }]],
    ['broken', 'a status beside those that are listed', [{ operation: 'getExecution', status: 422, body: {} }]],
    ['untouched', 'a rate limit', [{ operation: 'getExecution', status: 429, body: {} }]],
    ['untouched', 'a gateway', [{ operation: 'getExecution', status: 504 }]],
    ['untouched', 'a method that the path does not have', [{ operation: null, status: 405, body: {} }]],
    ['untouched', 'a media type that is not JSON', [plainText(415)]],
  ],

  'no-server-errors': [
    ['kept', 'a success', [taken]],
    ['kept', 'a refusal', [{ operation: 'execute', status: 400, body: {} }]],
    ['kept', 'a path that is no operation', [{ operation: null, status: 404 }]],
    ['broken', 'a 500', [{ operation: 'execute', status: 500, body: { code: 1 } }], { says: '500 with {"code":1}' }],
    ['untouched', 'a gateway timeout', [{ operation: 'executeSync', status: 504 }]],
    [
      'broken',
      'a timeout in the words of the service',
      [{ operation: 'executeSync', status: 504, body: { code: 504, message: 'm' } }],
    ],
    ['broken', 'a 503 to a start, without a body', [{ operation: 'execute', status: 503 }]],
    ['untouched', 'the page of a gateway for a start that is not sent again', [page(502, { credential: 'primary' })]],
    [
      'untouched',
      'the page of a gateway for a copy that may have been made',
      [page(502, { credential: 'primary' }, { operation: 'duplicateProfile' })],
    ],
    ['broken', 'the page of a service', [page(500, { credential: 'primary' })]],
    ['broken', 'the page of a gateway for what is asked again', [page(502, { credential: 'none' })]],
    ['broken', 'the page of a gateway for a fault', [probe('version-must-exist', page(502))]],
    [
      'broken',
      'the page of a gateway for an update',
      [page(502, { credential: 'primary' }, { operation: 'updateProfile' })],
    ],
    ['broken', 'a 503 to a reading', [{ operation: 'getExecution', status: 503, body: { code: 503, message: 'm' } }]],
    [
      'untouched',
      'a 503 to a start that may be over capacity',
      [{ operation: 'execute', status: 503, body: { code: 1, message: 'Full.' } }],
    ],
    ['broken', 'a 500 to what is no operation', [{ operation: null, status: 500 }]],
    ['untouched', 'an answer that was cut off', [{ operation: 'execute', status: 500, failure: failed }]],
    ['untouched', 'a method that is not implemented', [{ operation: null, status: 501 }]],
    ['untouched', 'no answer', [{ operation: 'execute', failure: failed }]],
  ],

  'no-secrets-in-responses': [
    ['kept', 'an answer without the key that was sent', [{ ...taken, mark: {} }]],
    ['kept', 'a recording that shows the key header', [recorded({ accept: '*/*', 'X-Api-Key': '[redacted]' })]],
    ['broken', 'an answer with it', [{ ...taken, repeatsKey: true, mark: {} }], { says: 'repeats a key' }],
    ['broken', 'a key that was not even sent', [{ ...taken, repeatsKey: true, mark: { credential: 'none' } }]],
    ['untouched', 'no key', [{ ...taken, mark: { credential: 'none' } }]],
    ['untouched', 'a recording without key headers', [recorded({ accept: '*/*' })]],
    ['untouched', 'no answer', [{ operation: 'execute', failure: failed, mark: {} }]],
  ],
} satisfies Tables;
