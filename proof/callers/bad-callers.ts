/** Callers that go wrong, each in one way. */

import type { Caller } from '../../certify/play.js';
import { type CallerRuleId, callers } from '../../generated/rules.js';
import { naiveLoop } from './careless.js';
import { callerWith, ended, type Habits } from './habits.js';
import type { CallerUnderTest } from './matrix.js';

const lookUp = 'caller-looks-up-after-gateway-timeout';
const repeat = 'caller-does-not-repeat-a-lost-start';
const toTheEnd = 'caller-polls-to-the-end';
const limits = 'caller-stays-within-limits';

/**
 * By their ids: the rules that they violate, how they do it, and 3 if no rule is violated by which certify ends with 1 and a
 * MUST could not be judged, since the service refuses each start.
 */
const bad: Readonly<
  Record<string, readonly [breaks: readonly CallerRuleId[], how: Partial<Habits> | Caller, exit?: 0 | 3]>
> = {
  'calls-again-after-timeout': [[lookUp, repeat], { onTimeout: 'again' }],
  'starts-asynchronously-after-timeout': [[lookUp, repeat], { onTimeout: 'again-asynchronously' }],
  'starts-otherwise-after-timeout': [[lookUp, repeat], { onTimeout: 'again-with-another-body' }],
  'reads-another-after-timeout': [[lookUp, repeat], { onTimeout: 'read-another' }],
  'starts-beside-what-it-found': [[lookUp, repeat, toTheEnd], { onTimeout: 'look-up-and-again' }],
  'looks-up-by-its-own-id': [[lookUp, repeat], { onTimeout: 'look-up-by-itself' }],
  'repeats-when-cut-off': [[repeat], { onLost: 'again' }],
  'repeats-otherwise-when-cut-off': [[repeat], { onLost: 'again-with-another-body' }],
  // It waits half a second for an answer, and then sends the start again.
  'is-impatient': [[repeat], { timeoutMs: 500, onLost: 'again' }],
  'forgets-what-it-started': [['caller-follows-by-polling'], { follows: (answer) => answer.body.status === 'paused' }],
  'forgets-202': [['caller-follows-202'], { follows: (answer) => answer.body.status !== 'paused' }],
  'reads-once': [[toTheEnd], { readsAgain: () => false }],
  // It stops at an execution that is queued.
  'takes-queued-for-an-end': [
    [toTheEnd],
    {
      readsAgain: (answer) =>
        !answer ||
        (answer.status < 400 ? answer.body.status !== 'queued' && !ended(answer.body.status) : answer.status === 429),
    },
  ],
  'stops-when-cut-off': [
    [toTheEnd],
    {
      readsAgain: (answer) =>
        answer !== undefined && (answer.status === 429 || (answer.status < 400 && !ended(answer.body.status))),
    },
  ],
  'reads-on-after-the-end': [[toTheEnd], { readsAgain: (answer) => answer?.status !== 401 }],
  'waits-for-completed': [
    [toTheEnd],
    { readsAgain: (answer) => answer?.body.status !== 'completed' && (answer?.status ?? 500) !== 401 },
  ],
  'reads-what-was-not-started': [['caller-sends-uuids'], { takesRefusals: true }],
  'stops-at-429': [
    [toTheEnd],
    { readsAgain: (answer) => !answer || (answer.status < 400 && !ended(answer.body.status)) },
  ],
  'reads-without-key': [
    ['caller-sends-a-key'],
    { keyHeaders: (line, key) => (line.key === 'X-Api-Key' ? { 'X-Api-Key': key } : {}) },
  ],
  'sends-an-empty-key': [
    ['caller-sends-a-key'],
    { keyHeaders: ({ key, method }, value) => ({ [key]: method === 'GET' ? '' : value }) },
  ],
  'sends-a-bearer-token': [['caller-sends-a-key'], { keyHeaders: (_, key) => ({ Authorization: `Bearer ${key}` }) }],
  'knows-one-header': [
    ['caller-sends-shown-header'],
    { keyHeaders: (_, key) => ({ 'X-Service-Agents-Api-Key': key }) },
  ],
  'asks-for-head-and-version': [
    ['caller-respects-exclusivity', limits],
    { startBody: (body) => ({ ...body, head: true, version: 3 }) },
  ],
  'asks-for-profile-and-group': [
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
    ['caller-does-not-queue-temp-files'],
    { startBody: (body) => ({ ...body, onCapacityLimit: 'queue' }) },
  ],
  'waits-a-minute': [
    [limits],
    {
      startBody: (body, { CERTIFY_JOB }) => (CERTIFY_JOB === 'sync' ? { ...body, timeoutSeconds: 60 } : body),
    },
  ],
  // It sets softTimeoutMins to 0, for none.
  'gives-no-time': [
    [limits],
    {
      startBody: ({ executionOptions, ...body }) => ({
        ...body,
        executionOptions: { ...Object(executionOptions), softTimeoutMins: 0 },
      }),
    },
  ],
  'writes-no-json': [
    [limits],
    {
      write: (body) => new URLSearchParams(Object.keys(Object(body)).map((name) => [name, '1'])).toString() || 'a=1',
    },
  ],
  'describes-at-length': [[limits], { update: { description: 'long '.repeat(400) } }],
  'uses-old-names': [
    ['caller-avoids-deprecated-fields'],
    { startBody: ({ inputs, ...body }) => ({ ...body, dynamicData: inputs ?? {} }) },
  ],
  // It takes the id of the execution from a field that is not there.
  'reads-undefined': [
    ['caller-sends-uuids', 'caller-follows-by-polling', 'caller-follows-202'],
    { executionOf: (answer) => String(answer.body.id) },
  ],
  'updates-by-name': [['caller-sends-uuids'], { profile: () => 'My-profile' }],
  'writes-nulls': [
    ['caller-sends-no-nulls'],
    {
      startBody: (body) => ({ metadata: null, ...body }),
      update: { name: 'Kept', description: null },
    },
    3,
  ],
  'labels-nothing': [['caller-labels-json'], { contentType: undefined }],
  'labels-text': [['caller-labels-json'], { contentType: 'text/plain;charset=UTF-8' }, 3],
  'sends-empty-objects': [['caller-sends-no-body'], { idleBody: '{}' }],
  'forgets-variants': [['caller-gives-variant-key'], { startBody: ({ executionOptions: _, ...body }) => body }],
  'always-a-variant': [
    ['caller-gives-variant-key'],
    {
      startBody: (body) => ({ ...body, executionOptions: { variantKey: 'always' } }),
    },
  ],
  'naive-loop': [
    [lookUp, repeat, 'caller-sends-shown-header', 'caller-follows-by-polling', 'caller-follows-202', toTheEnd],
    naiveLoop,
  ],
};

const musts = callers.filter(({ level }) => level === 'MUST').map(({ id }) => id);

export const badCallers: readonly CallerUnderTest[] = Object.entries(bad).map(([id, [breaks, how, exit = 0]]) => ({
  ...{ id, breaks },
  exit: breaks.some((rule) => musts.includes(rule)) ? 1 : exit,
  call: typeof how === 'function' ? how : callerWith(how),
}));
