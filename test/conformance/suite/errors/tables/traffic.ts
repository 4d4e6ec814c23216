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
    ['satisfied', 'application/json', [taken]],
    ['satisfied', 'JSON under another media type', [saying('text/plain')]],
    [
      'violated',
      'a page',
      [{ operation: 'execute', status: 500, rawBody: text('<html>') }],
      { says: '500 with a body that is not JSON: "<html>"' },
    ],
    ['ignored', 'the page of a router for what is no id', [page(404, {}, { resource: 'not-a-uuid' })]],
    ['ignored', 'the page of a firewall for an odd body', [page(403, { unjudged: true })]],
    ['ignored', 'the page of a firewall for many wrong keys', [page(403, { credential: 'invalid' })]],
    ['violated', 'a page for a key that may not', [page(403, { credential: 'restricted' })]],
    ['ignored', 'the page of a gateway that takes no large bodies', [page(413)]],
    ['ignored', 'no body', [{ operation: 'deletePool', status: 204 }]],
    ['ignored', 'no answer', [{ operation: 'execute', failure: failed }]],
    ['ignored', 'a body that was cut off', [{ ...taken, rawBody: text('{"execut'), failure: failed }]],
    ['ignored', 'what a path that is no operation answers', [{ operation: null, status: 404, rawBody: text('no') }]],
    ['ignored', 'a rate limit', [{ operation: 'execute', status: 429, rawBody: text('slow down') }]],
    ['ignored', 'an outage', [{ operation: 'execute', status: 503, rawBody: text('no healthy upstream') }]],
    ['ignored', 'a gateway', [{ operation: 'executeSync', status: 504, rawBody: text('<html>') }]],
    ['ignored', 'what was sent again', [{ ...taken, rawBody: text('<'), mark: { retried: true } }]],
  ],

  'json-is-labelled': [
    ['satisfied', 'application/json', [taken]],
    ['satisfied', 'a charset, in any case', [saying('Application/JSON; charset=utf-8')]],
    ['satisfied', 'a type that ends in +json', [saying('application/problem+json')]],
    ['satisfied', 'the older text/json', [saying('text/json')]],
    ['violated', 'another type of text', [saying('text/jsonc')]],
    ['violated', 'JSON that says it is text', [saying('text/plain')], { says: 'seen "text/plain"' }],
    ['violated', 'JSON that only begins like it', [saying('application/jsonp')]],
    ['violated', 'JSON that does not say so', [saying('')]],
    ['ignored', 'a page', [{ operation: 'execute', status: 500, rawBody: text('<html>') }]],
    ['ignored', 'no body', [{ operation: 'deletePool', status: 204 }]],
    ['ignored', 'what was sent again', [{ ...saying('text/plain'), mark: { retried: true } }]],
  ],

  'optional-fields-are-not-null': [
    ['satisfied', 'none that is null', [taken]],
    ['satisfied', 'a result that is null, which may be any value', [reading('completed', { executionResult: result })]],
    ['satisfied', 'an error without them', [refusedWith({ code: 400, message: 'm' })]],
    ['satisfied', 'a field of tomorrow that is null', [reading('running', { priority: null })]],
    [
      'violated',
      'one that is',
      [reading('completed', { agentProfileId: null, executionOptions: { sharedStorageKey: null } })],
      { says: ['/agentProfileId', '/executionOptions/sharedStorageKey'] },
    ],
    ['violated', 'in an item of a list', [reading('completed', { scriptFailures: [{ occurredAt, step: null }] })]],
    ['violated', 'in an error', [refusedWith({ code: 400, message: 'm', detail: null })], { says: '/detail' }],
    ['ignored', 'no body', [{ operation: 'deletePool', status: 204 }]],
    ['ignored', 'a page', [{ operation: 'execute', status: 500, rawBody: text('<html>') }]],
  ],

  'response-matches-schema': [
    ['satisfied', 'null for optional fields', [reading('completed', { agentProfileId: null, scriptFailures: null })]],
    ['violated', 'null for a required field', [reading('completed', { agentName: null })], { says: 'agentName' }],
    ['violated', 'null for an item of a list', [reading('completed', { comments: [null] })]],
    [
      'satisfied',
      'null for a trigger’s fields',
      [reading('running', { triggerContext: { source: 'api', apiKey: null } })],
    ],
    ['satisfied', 'a started execution', [taken]],
    ['satisfied', 'fields of tomorrow', [{ ...taken, body: { ...started, priority: 1 } }]],
    [
      'satisfied',
      'a copy, whatever the success status',
      [{ operation: 'duplicateProfile', status: 200, body: example('duplicateProfile', 'duplicate') }],
    ],
    ['satisfied', 'a status that is not listed, with the same body', [{ ...taken, status: 200 }]],
    [
      'satisfied',
      'the body of one of two, with a status that is not listed',
      [{ operation: 'executeSync', status: 201, body: { ...started, status: 'completed' } }],
    ],
    [
      'violated',
      'a status that is not listed, without the body',
      [{ operation: 'updateProfile', sent: {}, status: 204 }],
      { says: ['the 2xx body of updateProfile', '204 without a body'] },
    ],
    ['violated', 'no listing', [{ operation: 'listExecutionFiles', status: 204 }]],
    ['ignored', 'a redirect', [{ operation: 'getExecution', status: 304 }]],
    [
      'violated',
      'a status that is none',
      [{ ...taken, body: { ...started, status: 'done' } }],
      { says: ['the 202 body of execute', '/status is "done", not one of starting, queued'] },
    ],
    [
      'violated',
      'a field that is missing',
      [{ ...taken, body: { executionId: ids.execution } }],
      { says: 'the body lacks status' },
    ],
    ['violated', 'no body', [{ operation: 'getExecution', status: 200 }], { says: '200 without a body' }],
    ['violated', 'a list', [{ ...taken, body: [] }], { says: 'the body is [], not of type object' }],
    ['violated', 'no JSON', [{ operation: 'getExecution', status: 200, rawBody: text('ok') }]],
    ['ignored', 'a refusal', [{ operation: 'execute', status: 400, body: {} }]],
    ['ignored', 'a deleted pool', [{ operation: 'deletePool', status: 200, body: { anything: true } }]],
    ['ignored', 'a path that is no operation', [{ operation: null, status: 200, body: {} }]],
  ],

  'status-is-documented': [
    ['satisfied', 'a status that is listed', [taken]],
    ['satisfied', 'a status in a range', [{ operation: 'execute', status: 422, body: {} }]],
    ['satisfied', 'a success in a range', [{ operation: 'deletePool', status: 204 }]],
    [
      'violated',
      'another success',
      [{ operation: 'execute', status: 200, body: started }],
      { says: ['one of 202, 401, 403, 4XX, 5XX', 'seen 200'] },
    ],
    ['violated', 'a redirect', [{ operation: 'getExecution', status: 302 }]],
    ['violated', 'a status beside those that are listed', [{ operation: 'getExecution', status: 422, body: {} }]],
    ['ignored', 'a rate limit', [{ operation: 'getExecution', status: 429, body: {} }]],
    ['ignored', 'a gateway', [{ operation: 'getExecution', status: 504 }]],
    ['ignored', 'a method that the path does not have', [{ operation: null, status: 405, body: {} }]],
    ['ignored', 'a media type that is not JSON', [plainText(415)]],
  ],

  'no-server-errors': [
    ['satisfied', 'a success', [taken]],
    ['satisfied', 'a refusal', [{ operation: 'execute', status: 400, body: {} }]],
    ['satisfied', 'a path that is no operation', [{ operation: null, status: 404 }]],
    ['violated', 'a 500', [{ operation: 'execute', status: 500, body: { code: 1 } }], { says: '500 with {"code":1}' }],
    ['ignored', 'a gateway timeout', [{ operation: 'executeSync', status: 504 }]],
    [
      'violated',
      'a timeout in the words of the service',
      [{ operation: 'executeSync', status: 504, body: { code: 504, message: 'm' } }],
    ],
    ['violated', 'a 503 to a start, without a body', [{ operation: 'execute', status: 503 }]],
    ['ignored', 'the page of a gateway for a start that is not sent again', [page(502, { credential: 'primary' })]],
    [
      'ignored',
      'the page of a gateway for a copy that may have been made',
      [page(502, { credential: 'primary' }, { operation: 'duplicateProfile' })],
    ],
    ['violated', 'the page of a service', [page(500, { credential: 'primary' })]],
    ['violated', 'the page of a gateway for what is asked again', [page(502, { credential: 'none' })]],
    ['violated', 'the page of a gateway for a fault', [probe('version-must-exist', page(502))]],
    [
      'violated',
      'the page of a gateway for an update',
      [page(502, { credential: 'primary' }, { operation: 'updateProfile' })],
    ],
    ['violated', 'a 503 to a reading', [{ operation: 'getExecution', status: 503, body: { code: 503, message: 'm' } }]],
    [
      'ignored',
      'a 503 to a start that may be over capacity',
      [{ operation: 'execute', status: 503, body: { code: 1, message: 'Full.' } }],
    ],
    ['violated', 'a 500 to what is no operation', [{ operation: null, status: 500 }]],
    ['ignored', 'an answer that was cut off', [{ operation: 'execute', status: 500, failure: failed }]],
    ['ignored', 'a method that is not implemented', [{ operation: null, status: 501 }]],
    ['ignored', 'no answer', [{ operation: 'execute', failure: failed }]],
  ],

  'no-secrets-in-responses': [
    ['satisfied', 'an answer without the key that was sent', [{ ...taken, mark: {} }]],
    ['satisfied', 'a recording that shows the key header', [recorded({ accept: '*/*', 'X-Api-Key': '[redacted]' })]],
    ['violated', 'an answer with it', [{ ...taken, repeatsKey: true, mark: {} }], { says: 'repeats a key' }],
    ['violated', 'a key that was not even sent', [{ ...taken, repeatsKey: true, mark: { credential: 'none' } }]],
    ['ignored', 'no key', [{ ...taken, mark: { credential: 'none' } }]],
    ['ignored', 'a recording without key headers', [recorded({ accept: '*/*' })]],
    ['ignored', 'no answer', [{ operation: 'execute', failure: failed, mark: {} }]],
  ],
} satisfies Tables;
