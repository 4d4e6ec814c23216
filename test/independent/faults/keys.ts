import type { Entry, Fault, Hooks } from '../hooks.js';
import { type Answer, type Call, type Fields, fieldsOf, type Operation } from '../state.js';
import { everyNth, must, should } from './make.js';

const missing = 'A missing or invalid key yields 401.';
const permission = 'Insufficient permission yields 403.';
const lets = (which: Entry, when: (call: Call) => boolean = () => true): Partial<Hooks> => ({
  entry: (entry, call) => (entry === which && when(call) ? 'ok' : entry),
});
const on =
  (...operations: Operation[]) =>
  (call: Call) =>
    operations.includes(call.operation);
const keyOf = (call: Call) => call.headers.get('X-Api-Key') ?? call.headers.get('X-Service-Agents-Api-Key') ?? '';
const good = ['independent-primary-key-5f0c', 'independent-service-key-91aa'];
const like = (same: (sent: string, real: string) => boolean) =>
  lets('invalid', (c) => keyOf(c) !== '' && good.some((real) => same(keyOf(c), real)));
const turned = (from: number, to: number, when: (call: Call) => boolean = () => true): Partial<Hooks> => ({
  answers: (a, c) => {
    if (a.status !== from || !when(c)) return;
    a.status = to;
    if (a.body !== undefined) a.body = { ...fieldsOf(a.body), code: to };
  },
});
const operations: readonly Operation[] = [
  'execute',
  'executeSync',
  'getExecution',
  'listExecutionFiles',
  'updateProfile',
  'duplicateProfile',
  'deletePool',
];
const known = (call: Call) =>
  call.state.executions.has(call.id.toLowerCase()) ||
  call.state.profiles.has(call.id.toLowerCase()) ||
  call.state.workflows.has(call.id.toLowerCase());

export const keyFaults: readonly Fault[] = [
  must('no-key-let-in', missing, lets('missing')),
  must('wrong-key-let-in', missing, lets('invalid')),
  ...operations.map((operation) => must(`no-key-let-in-${operation}`, missing, lets('missing', on(operation)))),
  ...operations.map((operation) => must(`wrong-key-let-in-${operation}`, missing, lets('invalid', on(operation)))),
  must('no-key-let-in-existing', missing, lets('missing', known)),
  must('wrong-key-let-in-existing', missing, lets('invalid', known)),
  must(
    'no-key-let-in-existing-execution',
    missing,
    lets('missing', (c) => known(c) && c.operation === 'getExecution'),
  ),
  must(
    'no-key-let-in-existing-files',
    missing,
    lets('missing', (c) => known(c) && c.operation === 'listExecutionFiles'),
  ),
  must(
    'key-in-any-case',
    missing,
    like((sent, real) => sent.toLowerCase() === real.toLowerCase()),
  ),
  must(
    'key-by-prefix',
    missing,
    like((sent, real) => real.startsWith(sent)),
  ),
  must(
    'key-by-beginning',
    missing,
    like((sent, real) => sent.startsWith(real)),
  ),
  must(
    'key-by-first-16',
    missing,
    like((sent, real) => sent.slice(0, 16) === real.slice(0, 16)),
  ),
  must(
    'key-by-length',
    missing,
    like((sent, real) => sent.length === real.length),
  ),
  must(
    'key-without-last',
    missing,
    like((sent, real) => sent.length === real.length && sent.slice(0, -1) === real.slice(0, -1)),
  ),
  must('key-empty-let-in', missing, {
    entry: (e, c) =>
      e === 'missing' && (c.headers.has('X-Api-Key') || c.headers.has('X-Service-Agents-Api-Key')) ? 'ok' : e,
  }),
  must('key-in-query-only', 'Sent in a request header.', {
    entry: (e, c) => (c.operation === 'listExecutionFiles' ? 'missing' : e),
  }),
  must('x-api-key-not-taken-by-files', 'execution files are shown with X-Api-Key.', {
    entry: (e, c) =>
      c.operation === 'listExecutionFiles' && !c.headers.has('X-Service-Agents-Api-Key') ? 'missing' : e,
  }),
  must('x-api-key-not-taken-by-execute', 'execute is shown with X-Api-Key.', {
    entry: (e, c) => (c.operation === 'execute' && !c.headers.has('X-Service-Agents-Api-Key') ? 'missing' : e),
  }),
  must('x-api-key-not-taken-by-sync', 'sync execute is shown with X-Api-Key.', {
    entry: (e, c) => (c.operation === 'executeSync' && !c.headers.has('X-Service-Agents-Api-Key') ? 'missing' : e),
  }),
  ...(['getExecution', 'updateProfile', 'duplicateProfile', 'deletePool'] as const).map((operation) =>
    must(`service-key-not-taken-by-${operation}`, 'Shown with X-Service-Agents-Api-Key.', {
      entry: (e, c) => (c.operation === operation && !c.headers.has('X-Api-Key') ? 'missing' : e),
    }),
  ),
  must('no-key-is-403', missing, {
    answers: (a, c) =>
      void (
        a.status === 401 &&
        keyOf(c) === '' &&
        Object.assign(a, { status: 403, body: { ...fieldsOf(a.body), code: 403 } })
      ),
  }),
  must('wrong-key-is-403', missing, {
    answers: (a, c) =>
      void (
        a.status === 401 &&
        keyOf(c) !== '' &&
        Object.assign(a, { status: 403, body: { ...fieldsOf(a.body), code: 403 } })
      ),
  }),
  must('no-key-is-404', missing, turned(401, 404)),
  must('no-key-is-400', missing, turned(401, 400)),
  must(
    'no-key-is-404-on-unknown',
    missing,
    turned(401, 404, (c) => !known(c)),
  ),
  must('no-key-is-400-on-sync', missing, turned(401, 400, on('executeSync'))),
  must('no-key-redirects', missing, {
    answers: (a) => void (a.status === 401 && Object.assign(a, { status: 302, headers: { location: '/login' } })),
  }),
  must('no-key-after-body', missing, {
    answers: (a, c) =>
      void (
        a.status === 401 &&
        c.hasBody &&
        Object.assign(a, { status: 400, body: { ...fieldsOf(a.body), code: 400 } })
      ),
  }),
  must('no-key-let-in-at-times', missing, () => {
    const now = everyNth(3);
    return { entry: (e) => (e === 'missing' && now() ? 'ok' : e) };
  }),
  must('restricted-let-in', permission, lets('forbidden')),
  ...operations.map((operation) =>
    must(`restricted-let-in-${operation}`, permission, lets('forbidden', on(operation))),
  ),
  must('restricted-let-in-existing', permission, lets('forbidden', known)),
  must('restricted-is-401', permission, turned(403, 401)),
  must('restricted-is-404', permission, turned(403, 404)),
  must('restricted-is-400-on-delete', permission, turned(403, 400, on('deletePool'))),
];

const isStandard = (call: Call) => call.operation === 'execute' || call.operation === 'executeSync';
const simple = (call: Call) => !isStandard(call) && call.operation !== 'listExecutionFiles';
const errors = (
  which: (call: Call) => boolean,
  change: (body: Fields, answer: Answer, call: Call) => void,
): Partial<Hooks> => ({
  answers: (a, c) => {
    if (a.status >= 400 && which(c) && a.body !== undefined) change(fieldsOf(a.body), a, c);
  },
});
const standard = (change: (body: Fields, answer: Answer, call: Call) => void) => errors(isStandard, change);
const all = (change: (body: Fields, answer: Answer, call: Call) => void) => errors(() => true, change);

export const errorFaults: readonly Fault[] = [
  must(
    'standard-without-code',
    'code: required.',
    standard((b) => delete b.code),
  ),
  must(
    'standard-without-message',
    'message: required.',
    standard((b) => delete b.message),
  ),
  must(
    'standard-code-is-text',
    'code: int32.',
    standard((b) => void (b.code = String(b.code))),
  ),
  must(
    'standard-code-is-a-word',
    'code: int32.',
    standard((b) => void (b.code = 'bad_request')),
  ),
  must(
    'standard-code-too-big',
    'code: int32.',
    standard((b) => void (b.code = 2 ** 31)),
  ),
  must(
    'standard-code-fraction',
    'code: int32.',
    standard((b) => void (b.code = 400.1)),
  ),
  must(
    'standard-code-is-text-on-401',
    'code: int32.',
    standard((b, a) => void (a.status === 401 && (b.code = '401'))),
  ),
  must(
    'standard-message-null',
    'message: string.',
    standard((b) => void (b.message = null)),
  ),
  must(
    'standard-message-object',
    'message: string.',
    standard((b) => void (b.message = { text: b.message ?? '' })),
  ),
  must(
    'standard-detail-differs',
    'detail: same text as message.',
    standard((b) => void (b.detail = `Because: ${b.message}`)),
  ),
  must(
    'standard-detail-differs-on-capacity',
    'detail: same text as message.',
    standard((b, a) => void (a.status === 429 && (b.detail = 'Later.'))),
  ),
  must(
    'standard-detail-empty',
    'detail: same text as message.',
    standard((b) => void (b.detail = '')),
  ),
  must(
    'standard-instance-with-host',
    'instance: request path.',
    standard((b) => void (b.instance = `http://independent.test${b.instance}`)),
  ),
  must(
    'standard-instance-without-prefix',
    'instance: request path that produced the problem.',
    standard((b) => void (b.instance = String(b.instance).replace('/agents/v2', ''))),
  ),
  must(
    'standard-instance-of-another',
    'instance: request path that produced the problem.',
    standard((b) => void (b.instance = '/agents/v2/executions')),
  ),
  must(
    'standard-instance-without-sync',
    'instance: request path that produced the problem.',
    standard((b) => void (b.instance = String(b.instance).replace('/sync', ''))),
  ),
  must(
    'standard-errors-without-parameter',
    'parameter: required.',
    standard((b) => void (b.errors = [{ detail: 'x' }])),
  ),
  must(
    'standard-errors-without-detail',
    'detail: required.',
    standard((b) => void (b.errors = [{ parameter: 'workflowId' }])),
  ),
  must(
    'standard-errors-are-texts',
    'errors: array of items.',
    standard((b) => void (b.errors = ['bad'])),
  ),
  must(
    'standard-errors-object',
    'errors: array.',
    standard((b) => void (b.errors = { workflowId: 'bad' })),
  ),
  must(
    'standard-type-is-a-sentence',
    'type: URI.',
    standard((b) => void (b.type = 'Bad request')),
  ),
  must(
    'standard-status-is-text',
    'status: int32.',
    standard((b, a) => void (b.status = String(a.status))),
  ),
  should(
    'standard-status-differs',
    'status: int32.',
    standard((b) => void (b.status = 500)),
  ),
  must(
    'standard-title-number',
    'title: string.',
    standard((b) => void (b.title = 1)),
  ),
  must(
    'standard-nested',
    'code, message.',
    errors(isStandard, (b, a) => void (a.body = { error: b })),
  ),
  must(
    'simple-without-code',
    'code and message.',
    errors(simple, (b) => delete b.code),
  ),
  must(
    'simple-without-message',
    'code and message.',
    errors(simple, (b) => delete b.message),
  ),
  must(
    'simple-code-differs',
    'code equal to the status.',
    errors(simple, (b) => void (b.code = 1000)),
  ),
  must(
    'simple-code-always-400',
    'code equal to the status.',
    errors(simple, (b) => void (b.code = 400)),
  ),
  must(
    'simple-code-differs-on-401',
    'code equal to the status.',
    errors(simple, (b, a) => void (a.status === 401 && (b.code = 1))),
  ),
  must(
    'simple-code-differs-on-403',
    'code equal to the status.',
    errors(simple, (b, a) => void (a.status === 403 && (b.code = 401))),
  ),
  must(
    'simple-code-differs-on-pool',
    'code equal to the status.',
    errors(
      (c) => c.operation === 'deletePool',
      (b) => void (b.code = 0),
    ),
  ),
  must(
    'simple-code-differs-on-duplicate',
    'code equal to the status.',
    errors(
      (c) => c.operation === 'duplicateProfile',
      (b, a) => void (a.status === 404 && (b.code = 400)),
    ),
  ),
  must(
    'simple-code-is-text',
    'code: integer.',
    errors(simple, (b) => void (b.code = String(b.code))),
  ),
  must(
    'simple-message-list',
    'message: string.',
    errors(simple, (b) => void (b.message = [b.message ?? ''])),
  ),
  must(
    'simple-nested',
    'code and message.',
    errors(simple, (b, a) => void (a.body = { error: b })),
  ),
  must(
    'errors-are-text',
    'All bodies are JSON.',
    all((b, a) => {
      a.body = String(b.message);
      a.headers['content-type'] = 'text/plain';
    }),
  ),
  must(
    'errors-are-empty',
    'code and message.',
    all((_, a) => delete a.body),
  ),
  must(
    'unauthorized-is-empty',
    'code and message.',
    all((_, a) => a.status === 401 && delete a.body),
  ),
  should(
    'errors-are-html',
    'A JSON body is labelled as JSON.',
    all((_, a) => void (a.headers['content-type'] = 'text/html')),
  ),
  should('answers-are-plain', 'A JSON body is labelled as JSON.', {
    answers: (a) => void (a.status < 300 && a.body !== undefined && (a.headers['content-type'] = 'text/plain')),
  }),
  should('answers-without-type', 'A JSON body is labelled as JSON.', {
    answers: (a) => void delete a.headers['content-type'],
  }),
  ...(['execute', 'executeSync', 'getExecution', 'updateProfile', 'duplicateProfile', 'deletePool'] as const).map(
    (operation) =>
      should(`malformed-id-500-${operation}`, 'A caller’s mistake is a 4xx.', {
        answers: (a, c) =>
          void (
            c.operation === operation &&
            a.status >= 400 &&
            !/^[0-9a-f-]{36}$/i.test(c.id) &&
            Object.assign(a, { status: 500, body: { code: 500, message: 'Oops.' } })
          ),
      }),
  ),
  ...(
    [
      'execute',
      'executeSync',
      'getExecution',
      'listExecutionFiles',
      'updateProfile',
      'duplicateProfile',
      'deletePool',
    ] as const
  ).map((operation) =>
    should(`unknown-id-500-${operation}`, 'A caller’s mistake is a 4xx.', {
      answers: (a, c) =>
        void (
          c.operation === operation &&
          [403, 404].includes(a.status) &&
          Object.assign(a, { status: 500, body: { code: 500, message: 'Oops.' } })
        ),
    }),
  ),
  ...(['getExecution', 'updateProfile', 'duplicateProfile', 'deletePool'] as const).map((operation) =>
    should(`unknown-id-400-${operation}`, 'What does not exist is answered 404.', {
      answers: (a, c) =>
        void (
          c.operation === operation &&
          a.status === 404 &&
          Object.assign(a, { status: 400, body: { code: 400, message: 'Unknown.' } })
        ),
    }),
  ),
  should('unknown-id-200-getExecution', 'What does not exist is answered 404.', {
    answers: (a, c) =>
      void (c.operation === 'getExecution' && a.status === 404 && Object.assign(a, { status: 200, body: null })),
  }),
  should('refusals-are-200', 'A caller’s mistake is a 4xx.', {
    answers: (a, c) => void (isStandard(c) && a.status === 400 && (a.status = 200)),
  }),
  should('bad-json-is-500', 'No request is answered 5xx.', {
    answers: (a, c) =>
      void (
        a.status === 400 &&
        c.hasBody &&
        Object.keys(c.body).length === 0 &&
        Object.assign(a, { status: 500, body: { code: 500, message: 'Oops.' } })
      ),
  }),
];
