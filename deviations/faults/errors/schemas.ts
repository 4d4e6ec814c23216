/** Faults in successful bodies: required fields are missing, or values have a wrong type. */

import { derivedFlags } from '../../../generated/flags.js';
import { bodyOf, changing, directories, eachFile, type Fields, isFields, showing, without } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

/** Changes each item of a list. */
const each = (list: unknown, change: (item: Fields) => unknown): unknown =>
  Array.isArray(list) ? list.map((item) => (isFields(item) ? change(item) : item)) : list;

/** Changes a field, if it is present. */
const part = (body: Fields, name: string, change: (value: Fields) => unknown): Fields =>
  isFields(body[name]) ? { ...body, [name]: change(body[name]) } : body;

type Row = readonly [
  id: string,
  says: string,
  behaviour: Fault['behaviour'],
  also?: readonly Fault['breaks'][number][],
];

/** Faults that break `response-matches-schema`, and the rules of `also`. */
const rows: readonly Row[] = [
  ['executions-lack-the-agent-name', 'An execution has no agentName.', showing((one) => without(one, 'agentName'))],
  [
    'executions-lack-comments',
    'An execution without comments has no comments.',
    showing((one) => (one.comments.length > 0 ? one : without(one, 'comments'))),
  ],
  [
    'executions-lack-labels',
    'humanLabels is null where there is none.',
    showing((one) => (one.humanLabels.length > 0 ? one : { ...one, humanLabels: null })),
  ],
  [
    'rerun-is-a-word',
    'hasBeenRerun is yes or no.',
    showing((one) => ({ ...one, hasBeenRerun: one.hasBeenRerun ? 'yes' : 'no' })),
  ],
  [
    'comments-lack-the-user',
    'A comment does not say whose it is.',
    showing((one) => ({ ...one, comments: each(one.comments, (comment) => without(comment, 'userId')) })),
  ],
  [
    'label-ids-are-numbers',
    'The id of a human label is a number.',
    showing((one) => ({ ...one, humanLabels: each(one.humanLabels, (label) => ({ ...label, id: 17 })) })),
  ],
  [
    'results-lack-the-reasoning',
    'A result has no reasoning.',
    bodyOf('getExecution', (body) => part(body, 'executionResult', (result) => without(result, 'reasoning'))),
    ['sync-result-agrees'],
  ],
  [
    'outcome-is-another-word',
    'The outcome of a failure is error.',
    changing('resultOf', (result) =>
      result?.outcome === 'failure' ? { ...result, outcome: 'error' as 'failure' } : result,
    ),
  ],
  [
    'script-failures-lack-the-time',
    'A script failure does not say when it occurred.',
    showing((one) => ({
      ...one,
      ...(one.scriptFailures && {
        scriptFailures: each(one.scriptFailures, (failure) => without(failure, 'occurredAt')),
      }),
    })),
  ],
  [
    'failed-line-is-text',
    'The line at which a script failed is a text.',
    showing((one) => ({
      ...one,
      ...(one.scriptFailures && {
        scriptFailures: each(one.scriptFailures, (failure) => ({ ...failure, failedLine: `${failure.failedLine}` })),
      }),
    })),
  ],
  [
    'durations-have-fractions',
    'duration is a number of seconds with a fraction.',
    showing((one) => ('duration' in one ? { ...one, duration: Number(one.duration) - 0.75 } : one)),
  ],
  [
    'created-at-is-a-number',
    'createdAt of an execution is in milliseconds since the epoch.',
    showing((one) => ({ ...one, createdAt: Date.parse(one.createdAt) })),
  ],
  [
    'created-at-is-as-http-has-it',
    'createdAt of a profile is in the notation of HTTP.',
    bodyOf('updateProfile', (body) => ({ ...body, createdAt: new Date(String(body.createdAt)).toUTCString() })),
  ],
  [
    'runner-ids-are-names',
    'The user who triggered an execution is told by name.',
    showing((one) =>
      part({ ...one }, 'triggerContext', (trigger) =>
        part(trigger, 'runner', (runner) => ({ ...runner, userId: 'robin' })),
      ),
    ),
  ],
  [
    'status-is-a-word-of-its-own',
    'A paused execution has the status on_hold.',
    showing((one) => (one.status === 'paused' ? { ...one, status: 'on_hold' } : one)),
  ],
  ['files-lack-the-size', 'A file has no fileSize.', directories(eachFile((file) => without(file, 'fileSize')))],
  [
    'file-sizes-have-units',
    'The size of a file is a text with a unit.',
    directories(eachFile((file) => ({ ...file, fileSize: `${file.fileSize} B` }))),
  ],
  ...derivedFlags.map(
    ({ flag }): Row => [
      'profiles-lack-sticky-ip',
      `An updated profile has no ${flag}.`,
      bodyOf('updateProfile', (body) => without(body, flag)),
      ['duplicate-copies-settings'],
    ],
  ),
  [
    'copies-lack-the-inbox',
    'A copy has no inboxEmail.',
    bodyOf('duplicateProfile', (body) => without(body, 'inboxEmail')),
  ],
  [
    'cookies-lack-the-key',
    'A cookie has no key.',
    bodyOf('updateProfile', (body) => ({ ...body, cookies: each(body.cookies, (cookie) => without(cookie, 'key')) })),
    ['cookies-are-added', 'duplicate-copies-cookies'],
  ],
  [
    'credentials-lack-the-data',
    'A credential has no data.',
    bodyOf('updateProfile', (body) => ({
      ...body,
      credentials: each(body.credentials, (credential) => without(credential, 'data')),
    })),
  ],
];

export const schemaFaults: readonly Fault[] = [
  ...breaking('response-matches-schema', {
    'starts-lack-the-status': [
      'A start is answered without a status.',
      bodyOf('execute', (body) => without(body, 'status')),
      'execute-is-accepted',
    ],
    'last-updated-is-never': [
      'lastUpdated is the word never where no file is listed.',
      bodyOf('listExecutionFiles', (body) =>
        isFields(body.directories) && Object.values(body.directories).flat().length > 0
          ? body
          : { ...body, lastUpdated: 'never' },
      ),
    ],
  }),
  ...rows.map(
    ([id, says, behaviour, also = []]): Fault => ({
      id,
      breaks: ['response-matches-schema', ...also],
      says,
      behaviour,
    }),
  ),
];
