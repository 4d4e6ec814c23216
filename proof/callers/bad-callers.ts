/** Callers that go wrong, each in one way. */

import type { Caller } from '../../certify/play.js';
import { type CallerRuleId, callers } from '../../generated/rules.js';
import { generatedClient, naiveLoop } from './careless.js';
import { callerWith, ended, type Habits } from './habits.js';
import type { CallerUnderTest } from './matrix.js';

const lookUp = 'caller-looks-up-after-gateway-timeout';
const repeat = 'caller-does-not-repeat-a-lost-start';
const toTheEnd = 'caller-polls-to-the-end';
const limits = 'caller-stays-within-limits';

/**
 * By their ids: what they do, the rules that it breaks, how they do it, and 3 if no rule is broken by which certify ends with
 * 1 and a MUST could not be judged, since the service refuses each start.
 */
const bad: Readonly<
  Record<string, readonly [says: string, breaks: readonly CallerRuleId[], how: Partial<Habits> | Caller, exit?: 0 | 3]>
> = {
  'calls-again-after-timeout': [
    'After a gateway timeout it sends the same start again.',
    [lookUp, repeat],
    { onTimeout: 'again' },
  ],
  'starts-asynchronously-after-timeout': [
    'After a gateway timeout it starts asynchronously instead.',
    [lookUp, repeat],
    { onTimeout: 'again-asynchronously' },
  ],
  'starts-otherwise-after-timeout': [
    'After a gateway timeout it starts again with an attempt number in its inputs.',
    [lookUp, repeat],
    { onTimeout: 'again-with-another-body' },
  ],
  'reads-another-after-timeout': [
    'After a gateway timeout it starts another execution, and reads that.',
    [lookUp, repeat],
    { onTimeout: 'read-another' },
  ],
  'starts-beside-what-it-found': [
    'After a gateway timeout it looks the execution up, finds it running or completed, and starts it again.',
    [lookUp, repeat, toTheEnd],
    { onTimeout: 'look-up-and-again' },
  ],
  'looks-up-by-its-own-id': [
    'After a gateway timeout it looks for an id of its own making, finds nothing, and starts again.',
    [lookUp, repeat],
    { onTimeout: 'look-up-by-itself' },
  ],
  'repeats-when-cut-off': ['After a broken connection it sends the start again.', [repeat], { onLost: 'again' }],
  'repeats-otherwise-when-cut-off': [
    'After a broken connection it starts again with an attempt number in its inputs.',
    [repeat],
    { onLost: 'again-with-another-body' },
  ],
  'is-impatient': [
    'It waits half a second for an answer, and then sends the start again.',
    [repeat],
    { timeoutMs: 500, onLost: 'again' },
  ],
  'forgets-what-it-started': [
    'It never reads what it started asynchronously.',
    ['caller-follows-by-polling'],
    { follows: (answer) => answer.body.status === 'paused' },
  ],
  'forgets-202': [
    'It takes the 202 of a synchronous start for its end.',
    ['caller-follows-202'],
    { follows: (answer) => answer.body.status !== 'paused' },
  ],
  'reads-once': ['It reads the execution once.', [toTheEnd], { readsAgain: () => false }],
  'takes-queued-for-an-end': [
    'It stops at an execution that is queued.',
    [toTheEnd],
    {
      readsAgain: (answer) =>
        !answer ||
        (answer.status < 400 ? answer.body.status !== 'queued' && !ended(answer.body.status) : answer.status === 429),
    },
  ],
  'stops-when-cut-off': [
    'It stops reading after an answer that was cut off.',
    [toTheEnd],
    {
      readsAgain: (answer) =>
        answer !== undefined && (answer.status === 429 || (answer.status < 400 && !ended(answer.body.status))),
    },
  ],
  'reads-on-after-the-end': [
    'It reads the execution on, whatever has become of it.',
    [toTheEnd],
    { readsAgain: (answer) => answer?.status !== 401 },
  ],
  'waits-for-completed': [
    'It reads on until the run has completed, also when it has failed.',
    [toTheEnd],
    { readsAgain: (answer) => answer?.body.status !== 'completed' && (answer?.status ?? 500) !== 401 },
  ],
  'reads-what-was-not-started': [
    'It takes any answer for a start, a 429 too.',
    ['caller-sends-uuids'],
    { takesRefusals: true },
  ],
  'stops-at-429': [
    'It stops reading when it is told to come later.',
    [toTheEnd],
    { readsAgain: (answer) => !answer || (answer.status < 400 && !ended(answer.body.status)) },
  ],
  'reads-without-key': [
    'It sends its key with starts only.',
    ['caller-sends-a-key'],
    { keyHeaders: (line, key) => (line.key === 'X-Api-Key' ? { 'X-Api-Key': key } : {}) },
  ],
  'sends-an-empty-key': [
    'Its key is empty where it reads.',
    ['caller-sends-a-key'],
    { keyHeaders: ({ key, method }, value) => ({ [key]: method === 'GET' ? '' : value }) },
  ],
  'sends-a-bearer-token': [
    'It sends its key as a bearer token.',
    ['caller-sends-a-key'],
    { keyHeaders: (_, key) => ({ Authorization: `Bearer ${key}` }) },
  ],
  'knows-one-header': [
    'It sends its key in X-Service-Agents-Api-Key, whatever the operation.',
    ['caller-sends-shown-header'],
    { keyHeaders: (_, key) => ({ 'X-Service-Agents-Api-Key': key }) },
  ],
  'asks-for-head-and-version': [
    'It asks for the head and a version.',
    ['caller-respects-exclusivity', limits],
    { startBody: (body) => ({ ...body, head: true, version: 3 }) },
  ],
  'asks-for-profile-and-group': [
    'It asks for a profile and a group.',
    ['caller-respects-exclusivity', limits],
    {
      startBody: (body, { PROFILE_ID, PROFILE_GROUP_ID }) => ({
        ...body,
        profileId: PROFILE_ID,
        profileGroupId: PROFILE_GROUP_ID,
      }),
    },
  ],
  'queues-everything': [
    'It asks for the queue whatever it starts, also with temp files.',
    ['caller-does-not-queue-temp-files'],
    { startBody: (body) => ({ ...body, onCapacityLimit: 'queue' }) },
  ],
  'waits-a-minute': [
    'It asks a synchronous start to wait for a minute.',
    [limits],
    {
      startBody: (body, { CERTIFY_JOB }) => (CERTIFY_JOB === 'sync' ? { ...body, timeoutSeconds: 60 } : body),
    },
  ],
  'gives-no-time': [
    'It sets softTimeoutMins to 0, for none.',
    [limits],
    {
      startBody: ({ executionOptions, ...body }) => ({
        ...body,
        executionOptions: { ...Object(executionOptions), softTimeoutMins: 0 },
      }),
    },
  ],
  'writes-no-json': [
    'It writes bodies as forms, and calls them JSON.',
    [limits],
    {
      write: (body) => new URLSearchParams(Object.keys(Object(body)).map((name) => [name, '1'])).toString() || 'a=1',
    },
  ],
  'describes-at-length': [
    'It gives a profile a description of 2,000 characters.',
    [limits],
    { update: { description: 'long '.repeat(400) } },
  ],
  'uses-old-names': [
    'It sends inputs as dynamicData.',
    ['caller-avoids-deprecated-fields'],
    { startBody: ({ inputs, ...body }) => ({ ...body, dynamicData: inputs ?? {} }) },
  ],
  'reads-undefined': [
    'It takes the id of the execution from a field that is not there.',
    ['caller-sends-uuids', 'caller-follows-by-polling', 'caller-follows-202'],
    { executionOf: (answer) => String(answer.body.id) },
  ],
  'updates-by-name': [
    'It names a profile in the path by its name.',
    ['caller-sends-uuids'],
    { profile: () => 'My-profile' },
  ],
  'writes-nulls': [
    'It writes null for metadata and descriptions that were never set.',
    ['caller-sends-no-nulls'],
    {
      startBody: (body) => ({ metadata: null, ...body }),
      update: { name: 'Kept', description: null },
    },
    3,
  ],
  'labels-nothing': ['It sends bodies without Content-Type.', ['caller-labels-json'], { contentType: undefined }],
  'labels-text': [
    'It labels its bodies as text.',
    ['caller-labels-json'],
    { contentType: 'text/plain;charset=UTF-8' },
    3,
  ],
  'sends-empty-objects': ['It sends {} with every reading and deletion.', ['caller-sends-no-body'], { idleBody: '{}' }],
  'forgets-variants': [
    'It drops executionOptions.',
    ['caller-gives-variant-key'],
    { startBody: ({ executionOptions: _, ...body }) => body },
  ],
  'always-a-variant': [
    'It gives a variantKey to every workflow.',
    ['caller-gives-variant-key'],
    {
      startBody: (body) => ({ ...body, executionOptions: { variantKey: 'always' } }),
    },
  ],
  'naive-loop': [
    'A loop of fetch as one writes it in five minutes.',
    [lookUp, repeat, 'caller-sends-shown-header', 'caller-follows-by-polling', 'caller-follows-202', toTheEnd],
    naiveLoop,
  ],
  'generated-client': [
    'A client that a generator made, used without care: no key where the generator put none, no reading again.',
    ['caller-sends-a-key'],
    generatedClient,
  ],
};

const musts = callers.filter(({ level }) => level === 'MUST').map(({ id }) => id);

export const badCallers: readonly CallerUnderTest[] = Object.entries(bad).map(
  ([id, [says, breaks, how, exit = 0]]) => ({
    ...{ id, says, breaks },
    exit: breaks.some((rule) => musts.includes(rule)) ? 1 : exit,
    call: typeof how === 'function' ? how : callerWith(how),
  }),
);
