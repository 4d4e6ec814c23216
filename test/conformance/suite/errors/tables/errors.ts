import { exchange, ids, type Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
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

const notFailing: Table = {
  'ignored: a success': [taken],
  'ignored: a gateway': [{ operation: 'executeSync', status: 504, rawBody: html }],
};

const files = (status: number, body: unknown): Sketch => ({ operation: 'listExecutionFiles', status, body });

export const errors = {
  'files-error-shape': {
    'satisfied: a code of its own': [files(401, { code: 17, message: 'm' })],
    'violated: no code': {
      given: [files(403, { message: 'm' })],
      says: ['either error body, with the 403', 'lacks code'],
    },
    'ignored: another operation': [simple(404, {})],
  },
  'standard-error-shape': {
    ...notFailing,
    'satisfied: a code of its own for a limit': [refusal({ code: 7, message: 'm', detail: 'm', instance: path }, 429)],
    'violated: no body': { given: [refusal(undefined, 403)], says: '403 without a body' },
  },

  'standard-error-detail': {
    ...notFailing,
    'satisfied: the same text': [standard({ detail: 'No.' })],
    'violated: another text': {
      given: [standard({ detail: 'Never.' })],
      says: ['the same text as message "No."', 'detail "Never."'],
    },
    'violated: another text, in a refusal for lack of capacity': [
      probe('over-capacity-is-rejected', refusal({ ...standardError, detail: 'Never.' }, 429)),
    ],
    'ignored: another text, of a rate limit': [refusal({ ...standardError, detail: 'Never.' }, 429)],
    'ignored: no detail': [standard({})],
  },

  'standard-error-instance': {
    ...notFailing,
    'satisfied: the path with its id in capitals': [at(path.replace(ids.workflow, ids.workflow.toUpperCase()), path)],
    'satisfied: the path with a slash at its end': [at(`${path}/`, `https://a.example${path}`)],
    'satisfied: the path without its query': [at(`${path}?a=1`, `https://a.example${path}?b=2`)],
    'satisfied: percent-encoding of some characters only': [
      at('/agents/v2/workflows/%A0%23 %3A/execute', 'https://a.example/agents/v2/workflows/%25A0%23%20%3A/execute'),
    ],
    'violated: another path': {
      given: [at('/agents/v2/workflows', `https://a.example${path}`)],
      says: `the path of the request, ${path}`,
    },
    'satisfied: another prefix, as a gateway may add': [at(`/internal${path}`, `https://a.example/api${path}`)],
    'ignored: no instance': [standard({})],
  },

  'standard-error-status': {
    ...notFailing,
    'satisfied: the HTTP status': [standard({ status: 400 })],
    'violated: another': { given: [standard({ status: 500 })], says: ['the HTTP status 400', 'status 500'] },
    'ignored: no status': [standard({})],
  },

  'standard-error-type': {
    ...notFailing,
    'satisfied: about:blank': [standard({ type: 'about:blank' })],
    'violated: a word': { given: [standard({ type: 'validation_error' })], says: 'validation_error' },
    'ignored: no type': [standard({})],
  },

  'standard-error-title': {
    ...notFailing,
    'satisfied: a few words': [standard({ title: 'Bad Request' })],
    'violated: a blank': [standard({ title: ' ' })],
    'ignored: nothing': [standard({ title: '' })],
    'violated: a long text': [standard({ title: 'Because '.repeat(20) })],
    'ignored: no title': [standard({})],
  },

  'standard-error-parameter': {
    ...notFailing,
    ...all(
      [
        ...['version', 'executionOptions.softTimeoutMins', '/tempFiles/0/id', 'soft_timeout_mins', '$.inputs'],
        ...['workflowId', 'body', 'X-Api-Key', 'profile', 'inputs[customer]', '', 'tempFiles[0].name', 'ofTomorrow'],
      ].map((parameter) => ({
        [`satisfied: the name ${parameter}`]: [
          { ...standard({ errors: [{ parameter, detail: 'd' }] }), sent: { ofTomorrow: 1 } },
        ],
      })),
    ),
    'violated: a name that does not exist': {
      given: [standard({ errors: [{ parameter: 'foo', detail: 'd' }] })],
      says: 'foo',
    },
    'ignored: items without a name': [standard({ errors: [{ detail: 'd' }] })],
  },

  'simple-error-shape': {
    ...notFailing,
    'satisfied: code and message': [simple(404, { code: 404, message: 'm' })],
    'violated: no code': { given: [simple(404, { message: 'm' })], says: 'the body lacks code' },
  },

  'simple-error-code': {
    ...notFailing,
    'satisfied: the status': [simple(404, { code: 404, message: 'm' })],
    'violated: another code': { given: [simple(404, { code: 1404, message: 'm' })], says: ['code 404', 'code 1404'] },
    'ignored: no code, which the rule about the shape judges': [simple(404, { message: 'm' })],
  },

  'refusals-are-client-errors': {
    'satisfied: a recorded request that violates its schema': [
      { ...refusal(standardError), sent: { head: true, version: 1 } },
    ],
    'violated: a fault with a 500': {
      given: [probe('version-must-exist', refusal({}, 500))],
      says: ['a 4xx for a fault', '500 with {}'],
    },
    'ignored: a fault with a 500 that was repeated': [
      probe('version-must-exist', refusal({}, 500), { unjudged: true }),
    ],
    'violated: malformed JSON': [exchangeOf({ kind: 'not-json', text: '{', error: 'no JSON', bytes: 1 })],
    'ignored: a request without a body': [refusal({}, 500)],
    'ignored: a fault that is accepted': [probe('version-must-exist', taken)],
  },
} satisfies Tables;

function exchangeOf(body: Sketch['rawBody'] & object) {
  const one = exchange(refusal({}, 500));
  return { ...one, request: { ...one.request, body } };
}
