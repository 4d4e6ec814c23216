import { exchange, ids, type Sketch } from '../../../../support/evidence.js';
import type { Row, Tables } from '../../../../support/judge-table.js';
import { probe, standardError, taken } from '../../../../support/sketches.js';

const refusal = (body: unknown, status = 400): Sketch => ({ operation: 'execute', status, body });
const standard = (more: object) => refusal({ ...standardError, ...more });
const simple = (status: number, body: unknown): Sketch => ({ operation: 'getExecution', status, body });
const html: Sketch['rawBody'] = { kind: 'not-json', text: '<html>', error: 'no JSON', bytes: 6 };

const path = `/agents/v2/workflows/${ids.workflow}/execute`;
/** A refusal that names the place `instance`, of a request that went to `url`. */
const at = (instance: string, url: string) => {
  const one = exchange(standard({ instance }));
  return { ...one, request: { ...one.request, url } };
};

/** A request whose body says that it is not JSON, and what answers it. */
const textTo = (operation: 'execute' | 'updateProfile') => {
  const one = exchange({ operation, sent: {}, status: 415, body: {} });
  return { ...one, request: { ...one.request, headers: { 'content-type': 'text/plain' } } };
};

const notFailing: readonly Row[] = [
  ['untouched', 'a success', [taken]],
  ['untouched', 'a rate limit', [refusal({ error: 'slow down' }, 429)]],
  ['untouched', 'a gateway', [{ operation: 'executeSync', status: 504, rawBody: html }]],
  ['untouched', 'no answer', [{ operation: 'execute', failure: { kind: 'timeout', message: 'Late.' } }]],
];

const files = (status: number, body: unknown): Sketch => ({ operation: 'listExecutionFiles', status, body });

export const errors = {
  'files-error-shape': [
    ['kept', 'code and message', [files(404, { code: 404, message: 'm' })]],
    ['kept', 'the standard error body', [files(400, { ...standardError, detail: 'No.', title: 'Bad' })]],
    ['kept', 'a code of its own', [files(401, { code: 17, message: 'm' })]],
    ['broken', 'no code', [files(403, { message: 'm' })], { says: ['either error body, with the 403', 'lacks code'] }],
    ['broken', 'no body', [files(401, undefined)], { says: '401 without a body' }],
    ['broken', 'a page', [{ ...files(500, undefined), rawBody: html }]],
    ['untouched', 'a success', [files(200, {})]],
    ['untouched', 'a rate limit', [files(429, {})]],
    ['untouched', 'another operation', [simple(404, {})]],
  ],
  'standard-error-shape': [
    ['kept', 'null for optional fields', [standard({ title: null, errors: null })]],
    ['broken', 'null for the message', [standard({ message: null })]],
    ...notFailing,
    ['kept', 'code and message', [standard({})]],
    [
      'kept',
      'every optional field',
      [
        standard({
          detail: 'No.',
          errors: [{ parameter: 'p', detail: 'd' }],
          instance: path,
          status: 400,
          title: 'Bad',
          type: 'about:blank',
        }),
      ],
    ],
    ['kept', 'a code of its own, for a failure of the service', [refusal({ code: 1003, message: 'm' }, 500)]],
    ['broken', 'no message', [refusal({ code: 400 })], { says: 'the body lacks message' }],
    [
      'broken',
      'no code, of what has all else for a want of capacity',
      [refusal({ message: 'Full.', detail: 'Full.', instance: path }, 429)],
      { says: 'the body lacks code' },
    ],
    ['kept', 'a code of its own for a limit', [refusal({ code: 7, message: 'm', detail: 'm', instance: path }, 429)]],
    [
      'untouched',
      'the problem of a gateway',
      [refusal({ title: 'Slow', status: 429, detail: 'd', instance: path }, 429)],
    ],
    ['untouched', 'the message of a gateway', [refusal({ message: 'Slow down.', instance: path }, 429)]],
    [
      'broken',
      'a code that is a text',
      [refusal({ code: '400', message: 'm' })],
      { says: '/code is "400", not of type integer' },
    ],
    ['broken', 'a code beyond int32', [refusal({ code: 2 ** 31, message: 'm' })]],
    [
      'broken',
      'an error without its parameter',
      [standard({ errors: [{ detail: 'd' }] })],
      { says: '/errors/0 lacks parameter' },
    ],
    ['broken', 'a title that is a number', [standard({ title: 5 })]],
    ['broken', 'no body', [refusal(undefined, 403)], { says: '403 without a body' }],
    ['broken', 'a page', [{ operation: 'executeSync', status: 500, rawBody: html }]],
    ['untouched', 'an operation with the other body', [simple(404, {})]],
    [
      'untouched',
      'the file listing, which may have either',
      [{ operation: 'listExecutionFiles', status: 404, body: {} }],
    ],
    ['untouched', 'the refusal of a media type that is not JSON', [textTo('execute')]],
  ],

  'standard-error-detail': [
    ...notFailing,
    ['kept', 'the same text', [standard({ detail: 'No.' })]],
    [
      'broken',
      'another text',
      [standard({ detail: 'Never.' })],
      { says: ['the same text as message "No."', 'detail "Never."'] },
    ],
    [
      'broken',
      'another text, of what is refused for want of capacity',
      [probe('over-capacity-is-rejected', refusal({ ...standardError, detail: 'Never.' }, 429))],
    ],
    ['untouched', 'another text, of a rate limit', [refusal({ ...standardError, detail: 'Never.' }, 429)]],
    ['untouched', 'no detail', [standard({})]],
    ['untouched', 'a detail that is no text, which is for the shape', [standard({ detail: 5 })]],
    ['untouched', 'an operation with the other body', [simple(404, { code: 404, message: 'm', detail: 'n' })]],
  ],

  'standard-error-instance': [
    ...notFailing,
    ['kept', 'the path', [at(path, `https://a.example${path}`)]],
    ['kept', 'the path with its id in capitals', [at(path.replace(ids.workflow, ids.workflow.toUpperCase()), path)]],
    ['kept', 'the path with a slash at its end', [at(`${path}/`, `https://a.example${path}`)]],
    ['kept', 'the path without its query', [at(`${path}?a=1`, `https://a.example${path}?b=2`)]],
    ['kept', 'the path with the base URL’s own', [at(`/api${path}`, `https://a.example/api${path}`)]],
    ['kept', 'the path without the base URL’s own', [at(path, `https://a.example/api${path}`)]],
    [
      'kept',
      'another percent-encoding',
      [at('/agents/v2/workflows/not a uuid/execute', 'https://a.example/agents/v2/workflows/not%20a%20uuid/execute')],
    ],
    [
      'kept',
      'percent-encoding of some signs alone',
      [at('/agents/v2/workflows/%A0%23 %3A/execute', 'https://a.example/agents/v2/workflows/%25A0%23%20%3A/execute')],
    ],
    [
      'kept',
      'percent-encoding that is none',
      [at('/agents/v2/workflows/%zz/execute', 'https://a.example/agents/v2/workflows/%zz/execute')],
    ],
    ['kept', 'the path behind a host that a recorder took out', [at(path, `https://[redacted]${path}`)]],
    [
      'broken',
      'another path',
      [at('/agents/v2/workflows', `https://a.example${path}`)],
      { says: `the path of the request, ${path}` },
    ],
    ['kept', 'another prefix, as a gateway may put', [at(`/internal${path}`, `https://a.example/api${path}`)]],
    ['broken', 'another path with a prefix', [at('/internal/agents/v2/workflows', `https://a.example/api${path}`)]],
    ['untouched', 'no instance', [standard({})]],
    ['untouched', 'an instance that is no text', [standard({ instance: 5 })]],
  ],

  'standard-error-status': [
    ...notFailing,
    ['kept', 'the HTTP status', [standard({ status: 400 })]],
    ['broken', 'another', [standard({ status: 500 })], { says: ['the HTTP status 400', 'status 500'] }],
    ['untouched', 'no status', [standard({})]],
    ['untouched', 'a status that is no number', [standard({ status: '400' })]],
  ],

  'standard-error-type': [
    ...notFailing,
    ['kept', 'about:blank', [standard({ type: 'about:blank' })]],
    ['kept', 'a URL', [standard({ type: 'https://errors.example.com/validation#name' })]],
    ['kept', 'a path on the same host', [standard({ type: '/problems/validation' })]],
    ['broken', 'a word', [standard({ type: 'validation_error' })], { says: 'validation_error' }],
    ['broken', 'a sentence', [standard({ type: 'urn: not valid' })]],
    ['untouched', 'no type', [standard({})]],
    ['untouched', 'null', [standard({ type: null })]],
  ],

  'standard-error-title': [
    ...notFailing,
    ['kept', 'a few words', [standard({ title: 'Bad Request' })]],
    ['broken', 'a blank', [standard({ title: ' ' })]],
    ['untouched', 'nothing', [standard({ title: '' })]],
    ['broken', 'a story', [standard({ title: 'Because '.repeat(20) })]],
    ['broken', 'lines', [standard({ title: 'Bad\nRequest' })]],
    ['untouched', 'no title', [standard({})]],
  ],

  'standard-error-parameter': [
    ...notFailing,
    ...[
      ...['version', 'executionOptions.softTimeoutMins', '/tempFiles/0/id', 'soft_timeout_mins', '$.inputs'],
      ...['workflowId', 'body', 'X-Api-Key', 'profile', 'inputs[customer]', '', 'tempFiles[0].name', 'ofTomorrow'],
    ].map(
      (parameter): Row => [
        'kept',
        `the name ${parameter}`,
        [{ ...standard({ errors: [{ parameter, detail: 'd' }] }), sent: { ofTomorrow: 1 } }],
      ],
    ),
    ['broken', 'a name that nothing has', [standard({ errors: [{ parameter: 'foo', detail: 'd' }] })], { says: 'foo' }],
    [
      'broken',
      'one of two',
      [
        standard({
          errors: [
            { parameter: 'head', detail: 'd' },
            { parameter: 'x1', detail: 'd' },
          ],
        }),
      ],
    ],
    ['untouched', 'no errors', [standard({})]],
    ['untouched', 'none in the list', [standard({ errors: [] })]],
    ['untouched', 'items without a name', [standard({ errors: [{ detail: 'd' }] })]],
  ],

  'simple-error-shape': [
    ...notFailing,
    ['kept', 'null for nothing', [simple(404, { code: 404, message: 'm', hint: null })]],
    ['untouched', 'a status that is not shown', [simple(409, { error: 'conflict' })]],
    ['kept', 'code and message', [simple(404, { code: 404, message: 'm' })]],
    ['kept', 'more than that', [simple(404, { code: 404, message: 'm', hint: 'h' })]],
    ['broken', 'no code', [simple(404, { message: 'm' })], { says: 'the body lacks code' }],
    [
      'unclear',
      'no code, where who has no key was answered the same',
      [{ ...simple(404, { message: 'm' }), mark: { answeredByGateway: true } }],
      { says: 'A gateway may have answered' },
    ],
    ['broken', 'a code that is no integer', [simple(400, { code: 400.5, message: 'm' })]],
    ['broken', 'no body', [simple(401, undefined)]],
    ['untouched', 'an operation with the other body', [refusal({})]],
    [
      'untouched',
      'the file listing, which may have either',
      [{ operation: 'listExecutionFiles', status: 404, body: {} }],
    ],
    ['untouched', 'the refusal of a media type that is not JSON', [textTo('updateProfile')]],
  ],

  'simple-error-code': [
    ...notFailing,
    ['kept', 'the status', [simple(404, { code: 404, message: 'm' })]],
    ['broken', 'another code', [simple(404, { code: 1404, message: 'm' })], { says: ['code 404', 'code 1404'] }],
    ['untouched', 'a status that is not shown', [simple(409, { code: 7, message: 'm' })]],
    ['untouched', 'no code, which is for the shape', [simple(404, { message: 'm' })]],
    ['untouched', 'an operation with the other body', [refusal({ code: 1, message: 'm' })]],
  ],

  'refusals-are-client-errors': [
    ['kept', 'a fault that is refused with 400', [probe('version-must-exist', refusal(standardError))]],
    [
      'kept',
      'a recorded request that breaks its schema',
      [{ ...refusal(standardError), sent: { head: true, version: 1 } }],
    ],
    [
      'broken',
      'a fault that is answered 500',
      [probe('version-must-exist', refusal({}, 500))],
      { says: ['a 4xx for a fault', '500 with {}'] },
    ],
    ['broken', 'a recorded request that breaks its schema', [{ ...refusal({}, 500), sent: { metadata: 5 } }]],
    ['broken', 'malformed JSON', [exchangeOf({ kind: 'not-json', text: '{', error: 'no JSON', bytes: 1 })]],
    ['broken', 'an id that is no uuid', [{ ...simple(500, {}), resource: 'x' }]],
    ['untouched', 'a valid request', [{ ...refusal({}, 500), sent: {} }]],
    ['untouched', 'a request without a body', [refusal({}, 500)]],
    ['untouched', 'a body that nothing is known of', [{ ...simple(500, {}), sent: {} }]],
    ['untouched', 'a fault that is accepted', [probe('version-must-exist', taken)]],
    ['untouched', 'a want of capacity', [probe('over-capacity-is-rejected', refusal({}, 503))]],
    ['untouched', 'a gateway', [probe('version-must-exist', refusal({}, 502))]],
  ],
} satisfies Tables;

function exchangeOf(body: Sketch['rawBody'] & object) {
  const one = exchange(refusal({}, 500));
  return { ...one, request: { ...one.request, body } };
}
