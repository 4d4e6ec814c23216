/** Callers that go wrong, each in one way. */

import type { Caller } from '../../certify/play.js';
import type { CallerRuleId } from '../../generated/rules.js';
import { generatedClient, naiveLoop } from './careless.js';
import { callerWith, ended } from './habits.js';

/** A way in which callers go wrong, and exactly the rules that it breaks. */
export interface BadCaller {
  readonly id: string;
  readonly says: string;
  readonly breaks: readonly CallerRuleId[];
  readonly call: Caller;
}

const lookUp = 'caller-looks-up-after-gateway-timeout';
const repeat = 'caller-does-not-repeat-a-lost-start';
const toTheEnd = 'caller-polls-to-the-end';
const limits = 'caller-stays-within-limits';

export const badCallers: readonly BadCaller[] = [
  {
    id: 'calls-again-after-timeout',
    says: 'After a gateway timeout it sends the same start again.',
    breaks: [lookUp, repeat],
    call: callerWith({ onTimeout: 'again' }),
  },
  {
    id: 'starts-asynchronously-after-timeout',
    says: 'After a gateway timeout it starts asynchronously instead.',
    breaks: [lookUp, repeat],
    call: callerWith({ onTimeout: 'again-asynchronously' }),
  },
  {
    id: 'starts-otherwise-after-timeout',
    says: 'After a gateway timeout it starts again with an attempt number in its inputs.',
    breaks: [lookUp, repeat],
    call: callerWith({ onTimeout: 'again-with-another-body' }),
  },
  {
    id: 'reads-another-after-timeout',
    says: 'After a gateway timeout it starts another execution, and reads that.',
    breaks: [lookUp, repeat],
    call: callerWith({ onTimeout: 'read-another' }),
  },
  {
    id: 'starts-beside-what-it-found',
    says: 'After a gateway timeout it looks the execution up, finds it running or completed, and starts it again.',
    breaks: [lookUp, repeat, toTheEnd],
    call: callerWith({ onTimeout: 'look-up-and-again' }),
  },
  {
    id: 'looks-up-by-its-own-id',
    says: 'After a gateway timeout it looks for an id of its own making, finds nothing, and starts again.',
    breaks: [lookUp, repeat],
    call: callerWith({ onTimeout: 'look-up-by-itself' }),
  },
  {
    id: 'repeats-when-cut-off',
    says: 'After a broken connection it sends the start again.',
    breaks: [repeat],
    call: callerWith({ onLost: 'again' }),
  },
  {
    id: 'repeats-otherwise-when-cut-off',
    says: 'After a broken connection it starts again with an attempt number in its inputs.',
    breaks: [repeat],
    call: callerWith({ onLost: 'again-with-another-body' }),
  },
  {
    id: 'is-impatient',
    says: 'It waits half a second for an answer, and then sends the start again.',
    breaks: [repeat],
    call: callerWith({ timeoutMs: 500, onLost: 'again' }),
  },
  {
    id: 'forgets-what-it-started',
    says: 'It never reads what it started asynchronously.',
    breaks: ['caller-follows-by-polling'],
    call: callerWith({ follows: (answer) => answer.body.status === 'running' }),
  },
  {
    id: 'forgets-202',
    says: 'It takes the 202 of a synchronous start for its end.',
    breaks: ['caller-follows-202'],
    call: callerWith({ follows: (answer) => answer.body.status !== 'running' }),
  },
  {
    id: 'reads-once',
    says: 'It reads the execution once.',
    breaks: [toTheEnd],
    call: callerWith({ readsAgain: () => false }),
  },
  {
    id: 'takes-queued-for-an-end',
    says: 'It stops at an execution that is queued.',
    breaks: [toTheEnd],
    call: callerWith({
      readsAgain: (answer) =>
        !answer ||
        (answer.status < 400 ? answer.body.status !== 'queued' && !ended(answer.body.status) : answer.status === 429),
    }),
  },
  {
    id: 'stops-when-cut-off',
    says: 'It stops reading after an answer that was cut off.',
    breaks: [toTheEnd],
    call: callerWith({
      readsAgain: (answer) =>
        answer !== undefined && (answer.status === 429 || (answer.status < 400 && !ended(answer.body.status))),
    }),
  },
  {
    id: 'stops-at-429',
    says: 'It stops reading when it is told to come later.',
    breaks: [toTheEnd],
    call: callerWith({ readsAgain: (answer) => !answer || (answer.status < 400 && !ended(answer.body.status)) }),
  },
  {
    id: 'reads-without-key',
    says: 'It sends its key with starts only.',
    breaks: ['caller-sends-a-key'],
    call: callerWith({ keyHeaders: (line, key) => (line.key === 'X-Api-Key' ? { 'X-Api-Key': key } : {}) }),
  },
  {
    id: 'sends-an-empty-key',
    says: 'Its key is empty where it reads.',
    breaks: ['caller-sends-a-key'],
    call: callerWith({ keyHeaders: ({ key, method }, value) => ({ [key]: method === 'GET' ? '' : value }) }),
  },
  {
    id: 'sends-a-bearer-token',
    says: 'It sends its key as a bearer token.',
    breaks: ['caller-sends-a-key'],
    call: callerWith({ keyHeaders: (_, key) => ({ Authorization: `Bearer ${key}` }) }),
  },
  {
    id: 'knows-one-header',
    says: 'It sends its key in X-Service-Agents-Api-Key, whatever the operation.',
    breaks: ['caller-sends-shown-header'],
    call: callerWith({ keyHeaders: (_, key) => ({ 'X-Service-Agents-Api-Key': key }) }),
  },
  {
    id: 'asks-for-head-and-version',
    says: 'It asks for the head and a version.',
    breaks: ['caller-respects-exclusivity', limits],
    call: callerWith({ startBody: (body) => ({ ...body, head: true, version: 3 }) }),
  },
  {
    id: 'asks-for-profile-and-group',
    says: 'It asks for a profile and a group.',
    breaks: ['caller-respects-exclusivity', limits],
    call: callerWith({
      startBody: (body, { PROFILE_ID, PROFILE_GROUP_ID }) => ({
        ...body,
        profileId: PROFILE_ID,
        profileGroupId: PROFILE_GROUP_ID,
      }),
    }),
  },
  {
    id: 'queues-everything',
    says: 'It asks for the queue whatever it starts, also with temp files.',
    breaks: ['caller-does-not-queue-temp-files'],
    call: callerWith({ startBody: (body) => ({ ...body, onCapacityLimit: 'queue' }) }),
  },
  {
    id: 'waits-a-minute',
    says: 'It asks a synchronous start to wait for a minute.',
    breaks: [limits],
    call: callerWith({
      startBody: (body, { CERTIFY_JOB }) => (CERTIFY_JOB === 'sync' ? { ...body, timeoutSeconds: 60 } : body),
    }),
  },
  {
    id: 'gives-no-time',
    says: 'It sets softTimeoutMins to 0, for none.',
    breaks: [limits],
    call: callerWith({
      startBody: ({ executionOptions, ...body }) => ({
        ...body,
        executionOptions: { ...Object(executionOptions), softTimeoutMins: 0 },
      }),
    }),
  },
  {
    id: 'writes-no-json',
    says: 'It writes bodies as forms, and calls them JSON.',
    breaks: [limits, 'caller-gives-variant-key'],
    call: callerWith({
      write: (body) => new URLSearchParams(Object.keys(Object(body)).map((name) => [name, '1'])).toString() || 'a=1',
    }),
  },
  {
    id: 'describes-at-length',
    says: 'It gives a profile a description of 2,000 characters.',
    breaks: [limits],
    call: callerWith({ update: { description: 'long '.repeat(400) } }),
  },
  {
    id: 'uses-old-names',
    says: 'It sends inputs as dynamicData.',
    breaks: ['caller-avoids-deprecated-fields'],
    call: callerWith({ startBody: ({ inputs, ...body }) => ({ ...body, dynamicData: inputs ?? {} }) }),
  },
  {
    id: 'reads-undefined',
    says: 'It takes the id of the execution from a field that is not there.',
    breaks: ['caller-sends-uuids', 'caller-follows-by-polling', 'caller-follows-202'],
    call: callerWith({ executionOf: (answer) => String(answer.body.id) }),
  },
  {
    id: 'updates-by-name',
    says: 'It names a profile in the path by its name.',
    breaks: ['caller-sends-uuids'],
    call: callerWith({ profile: () => 'My-profile' }),
  },
  {
    id: 'writes-nulls',
    says: 'It writes null for metadata and descriptions that were never set.',
    breaks: ['caller-sends-no-nulls'],
    call: callerWith({
      startBody: (body) => ({ metadata: null, ...body }),
      update: { name: 'Kept', description: null },
    }),
  },
  {
    id: 'labels-nothing',
    says: 'It sends bodies without Content-Type.',
    breaks: ['caller-labels-json'],
    call: callerWith({ contentType: undefined }),
  },
  {
    id: 'labels-text',
    says: 'It labels its bodies as text.',
    breaks: ['caller-labels-json'],
    call: callerWith({ contentType: 'text/plain;charset=UTF-8' }),
  },
  {
    id: 'sends-empty-objects',
    says: 'It sends {} with every reading and deletion.',
    breaks: ['caller-sends-no-body'],
    call: callerWith({ idleBody: '{}' }),
  },
  {
    id: 'forgets-variants',
    says: 'It drops executionOptions.',
    breaks: ['caller-gives-variant-key'],
    call: callerWith({ startBody: ({ executionOptions: _, ...body }) => body }),
  },
  {
    id: 'always-a-variant',
    says: 'It gives a variantKey to every workflow.',
    breaks: ['caller-gives-variant-key'],
    call: callerWith({
      startBody: (body) => ({ ...body, executionOptions: { variantKey: 'always' } }),
    }),
  },
  {
    id: 'naive-loop',
    says: 'A loop of fetch as one writes it in five minutes.',
    breaks: [lookUp, repeat, 'caller-sends-shown-header', 'caller-follows-by-polling', toTheEnd],
    call: naiveLoop,
  },
  {
    id: 'generated-client',
    says: 'A client that a generator made, used without care: no key where the generator put none, no reading again.',
    breaks: ['caller-sends-a-key'],
    call: generatedClient,
  },
];
