import type { Entry, Fault, Hooks } from '../hooks.js';
import { type Answer, type Call, type Fields, fieldsOf, type Operation, operations } from '../state.js';
import { everyNth, faultsOf, hook, implied, isStart, keyOf, must, refusing, should } from './make.js';

const lets = (which: Entry, when: (call: Call) => boolean = () => true): Partial<Hooks> => ({
  entry: (entry, call) => (entry === which && when(call) ? 'ok' : entry),
});
const on =
  (...operations: Operation[]) =>
  (call: Call) =>
    operations.includes(call.operation);
const good = ['independent-primary-key-5f0c', 'independent-service-key-91aa'];
const like = (same: (sent: string, real: string) => boolean) =>
  lets('invalid', (c) => keyOf(c) !== '' && good.some((real) => same(keyOf(c), real)));
const turned = (from: number, to: number, when: (call: Call) => boolean = () => true): Partial<Hooks> =>
  hook('answers', (a, c) => {
    if (a.status !== from || !when(c)) return;
    a.status = to;
    if (a.body !== undefined) a.body = { ...fieldsOf(a.body), code: to };
  });
const known = (call: Call) =>
  call.state.executions.has(call.id.toLowerCase()) ||
  call.state.profiles.has(call.id.toLowerCase()) ||
  call.state.workflows.has(call.id.toLowerCase());

export const keyFaults: readonly Fault[] = [
  ...faultsOf({
    // A missing or invalid key yields 401.
    'no-key-let-in': lets('missing'),
    'wrong-key-let-in': lets('invalid'),
  }),
  ...operations.map((operation) => must(`no-key-let-in-${operation}`, lets('missing', on(operation)))),
  ...operations.map((operation) => must(`wrong-key-let-in-${operation}`, lets('invalid', on(operation)))),
  ...faultsOf({
    'no-key-let-in-existing': lets('missing', known),
    'wrong-key-let-in-existing': lets('invalid', known),
    'no-key-let-in-existing-execution': lets('missing', (c) => known(c) && c.operation === 'getExecution'),
    'no-key-let-in-existing-files': lets('missing', (c) => known(c) && c.operation === 'listExecutionFiles'),
    'key-in-any-case': like((sent, real) => sent.toLowerCase() === real.toLowerCase()),
    'key-by-prefix': like((sent, real) => real.startsWith(sent)),
    'key-by-beginning': like((sent, real) => sent.startsWith(real)),
    'key-by-first-16': like((sent, real) => sent.slice(0, 16) === real.slice(0, 16)),
    'key-by-length': like((sent, real) => sent.length === real.length),
    'key-without-last': like((sent, real) => sent.length === real.length && sent.slice(0, -1) === real.slice(0, -1)),
    'key-empty-let-in': {
      entry: (e, c) =>
        e === 'missing' && (c.headers.has('X-Api-Key') || c.headers.has('X-Service-Agents-Api-Key')) ? 'ok' : e,
    },
    // Sent in a request header.
    'key-in-query-only': { entry: (e, c) => (c.operation === 'listExecutionFiles' ? 'missing' : e) },
    // execution files are shown with X-Api-Key.
    'x-api-key-not-taken-by-files': {
      entry: (e, c) =>
        c.operation === 'listExecutionFiles' && !c.headers.has('X-Service-Agents-Api-Key') ? 'missing' : e,
    },
    // execute is shown with X-Api-Key.
    'x-api-key-not-taken-by-execute': {
      entry: (e, c) => (c.operation === 'execute' && !c.headers.has('X-Service-Agents-Api-Key') ? 'missing' : e),
    },
    // sync execute is shown with X-Api-Key.
    'x-api-key-not-taken-by-sync': {
      entry: (e, c) => (c.operation === 'executeSync' && !c.headers.has('X-Service-Agents-Api-Key') ? 'missing' : e),
    },
  }),
  // Shown with X-Service-Agents-Api-Key.
  ...(['getExecution', 'updateProfile', 'duplicateProfile', 'deletePool'] as const).map((operation) =>
    must(`service-key-not-taken-by-${operation}`, {
      entry: (e, c) => (c.operation === operation && !c.headers.has('X-Api-Key') ? 'missing' : e),
    }),
  ),
  ...faultsOf({
    // A missing or invalid key yields 401.
    'no-key-is-403': {
      answers: (a, c) =>
        a.status === 401 &&
        keyOf(c) === '' &&
        Object.assign(a, { status: 403, body: { ...fieldsOf(a.body), code: 403 } }),
    },
    'wrong-key-is-403': {
      answers: (a, c) =>
        a.status === 401 &&
        keyOf(c) !== '' &&
        Object.assign(a, { status: 403, body: { ...fieldsOf(a.body), code: 403 } }),
    },
    'no-key-is-404': turned(401, 404),
    'no-key-is-400': turned(401, 400),
    'no-key-is-404-on-unknown': turned(401, 404, (c) => !known(c)),
    'no-key-is-400-on-sync': turned(401, 400, on('executeSync')),
    'no-key-redirects': {
      answers: (a) => a.status === 401 && Object.assign(a, { status: 302, headers: { location: '/login' } }),
    },
    'no-key-after-body': {
      answers: (a, c) =>
        a.status === 401 && c.hasBody && Object.assign(a, { status: 400, body: { ...fieldsOf(a.body), code: 400 } }),
    },
    'no-key-let-in-at-times': () => {
      const now = everyNth(3);
      return { entry: (e) => (e === 'missing' && now() ? 'ok' : e) };
    },
    // Insufficient permission yields 403.
    'restricted-let-in': lets('forbidden'),
  }),
  ...operations.map((operation) => must(`restricted-let-in-${operation}`, lets('forbidden', on(operation)))),
  ...faultsOf({
    'restricted-let-in-existing': lets('forbidden', known),
    'restricted-is-401': turned(403, 401),
    'restricted-is-404': turned(403, 404),
    'restricted-is-400-on-delete': turned(403, 400, on('deletePool')),
  }),
];

const simple = (call: Call) => !isStart(call) && call.operation !== 'listExecutionFiles';
const errors = (
  which: (call: Call) => boolean,
  change: (body: Fields, answer: Answer, call: Call) => void,
): Partial<Hooks> =>
  hook('answers', (a, c) => {
    if (a.status >= 400 && which(c) && a.body !== undefined) change(fieldsOf(a.body), a, c);
  });
const standard = (change: (body: Fields, answer: Answer, call: Call) => void) => errors(isStart, change);
const all = (change: (body: Fields, answer: Answer, call: Call) => void) => errors(() => true, change);

export const errorFaults: readonly Fault[] = [
  ...faultsOf({
    // code: required.
    'standard-without-code': standard((b) => delete b.code),
    // message: required.
    'standard-without-message': standard((b) => delete b.message),
    // code: int32.
    'standard-code-is-text': standard((b) => (b.code = String(b.code))),
    'standard-code-is-a-word': standard((b) => (b.code = 'bad_request')),
    'standard-code-too-big': standard((b) => (b.code = 2 ** 31)),
    'standard-code-fraction': standard((b) => (b.code = 400.1)),
    'standard-code-is-text-on-401': standard((b, a) => a.status === 401 && (b.code = '401')),
    // message: string.
    'standard-message-null': standard((b) => (b.message = null)),
    'standard-message-object': standard((b) => (b.message = { text: b.message ?? '' })),
    // detail: same text as message.
    'standard-detail-differs': standard((b) => (b.detail = `Because: ${b.message}`)),
    'standard-detail-differs-on-capacity': standard((b, a) => a.status === 429 && (b.detail = 'Later.')),
    'standard-detail-empty': standard((b) => (b.detail = '')),
    // instance: request path.
    'standard-instance-with-host': standard((b) => (b.instance = `http://independent.test${b.instance}`)),
    // instance: request path that produced the problem.
    'standard-instance-without-prefix': standard((b) => (b.instance = String(b.instance).replace('/agents/v2', ''))),
    'standard-instance-of-another': standard((b) => (b.instance = '/agents/v2/executions')),
    'standard-instance-without-sync': standard((b) => (b.instance = String(b.instance).replace('/sync', ''))),
    // parameter: required.
    'standard-errors-without-parameter': standard((b) => (b.errors = [{ detail: 'x' }])),
    // detail: required.
    'standard-errors-without-detail': standard((b) => (b.errors = [{ parameter: 'workflowId' }])),
    // errors: array of items.
    'standard-errors-are-texts': standard((b) => (b.errors = ['bad'])),
    // errors: array.
    'standard-errors-object': standard((b) => (b.errors = { workflowId: 'bad' })),
    // type: URI.
    'standard-type-is-a-sentence': standard((b) => (b.type = 'Bad request')),
    // status: int32.
    'standard-status-is-text': standard((b, a) => (b.status = String(a.status))),
    'standard-status-differs': implied(standard((b) => (b.status = 500))),
    // title: string.
    'standard-title-number': standard((b) => (b.title = 1)),
    // code, message.
    'standard-nested': errors(isStart, (b, a) => (a.body = { error: b })),
    // code and message.
    'simple-without-code': errors(simple, (b) => delete b.code),
    'simple-without-message': errors(simple, (b) => delete b.message),
    // code equal to the status.
    'simple-code-differs': errors(simple, (b) => (b.code = 1000)),
    'simple-code-always-400': errors(simple, (b) => (b.code = 400)),
    'simple-code-differs-on-401': errors(simple, (b, a) => a.status === 401 && (b.code = 1)),
    'simple-code-differs-on-403': errors(simple, (b, a) => a.status === 403 && (b.code = 401)),
    'simple-code-differs-on-pool': errors(
      (c) => c.operation === 'deletePool',
      (b) => (b.code = 0),
    ),
    'simple-code-differs-on-duplicate': errors(
      (c) => c.operation === 'duplicateProfile',
      (b, a) => a.status === 404 && (b.code = 400),
    ),
    // code: integer.
    'simple-code-is-text': errors(simple, (b) => (b.code = String(b.code))),
    // message: string.
    'simple-message-list': errors(simple, (b) => (b.message = [b.message ?? ''])),
    // code and message.
    'simple-nested': errors(simple, (b, a) => (a.body = { error: b })),
    // All bodies are JSON.
    'errors-are-text': all((b, a) => {
      a.body = String(b.message);
      a.headers['content-type'] = 'text/plain';
    }),
    // code and message.
    'errors-are-empty': all((_, a) => delete a.body),
    'unauthorized-is-empty': all((_, a) => a.status === 401 && delete a.body),
    // A JSON body is labelled as JSON.
    'errors-are-html': implied(all((_, a) => (a.headers['content-type'] = 'text/html'))),
    'answers-are-plain': implied({
      answers: (a) => a.status < 300 && a.body !== undefined && (a.headers['content-type'] = 'text/plain'),
    }),
    'answers-without-type': implied({ answers: (a) => delete a.headers['content-type'] }),
  }),
  // A caller’s mistake is a 4xx.
  ...(['execute', 'executeSync', 'getExecution', 'updateProfile', 'duplicateProfile', 'deletePool'] as const).map(
    (operation) =>
      should(
        `malformed-id-500-${operation}`,
        refusing(
          500,
          'Oops.',
          (c, a) => c.operation === operation && a.status >= 400 && !/^[0-9a-f-]{36}$/i.test(c.id),
        ),
      ),
  ),
  ...operations.map((operation) =>
    should(
      `unknown-id-500-${operation}`,
      refusing(500, 'Oops.', (c, a) => c.operation === operation && [403, 404].includes(a.status)),
    ),
  ),
  // What does not exist is answered 404.
  ...(['getExecution', 'updateProfile', 'duplicateProfile', 'deletePool'] as const).map((operation) =>
    should(
      `unknown-id-400-${operation}`,
      refusing(400, 'Unknown.', (c, a) => c.operation === operation && a.status === 404),
    ),
  ),
  ...faultsOf({
    'unknown-id-200-getExecution': implied({
      answers: (a, c) =>
        c.operation === 'getExecution' && a.status === 404 && Object.assign(a, { status: 200, body: null }),
    }),
    // A caller’s mistake is a 4xx.
    'refusals-are-200': implied({ answers: (a, c) => isStart(c) && a.status === 400 && (a.status = 200) }),
    // No request is answered 5xx.
    'bad-json-is-500': implied(
      refusing(500, 'Oops.', (c, a) => a.status === 400 && c.hasBody && Object.keys(c.body).length === 0),
    ),
  }),
];
