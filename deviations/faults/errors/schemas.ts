/** Faults in successful bodies: required fields are missing, or values have a wrong type. */

import { derivedFlags } from '../../../generated/flags.js';
import { bodyOf, directories, eachFile, isFields, without } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

export const schemaFaults: readonly Fault[] = [
  ...breaking('response-matches-schema', {
    'results-lack-the-reasoning': [
      'A result has no reasoning.',
      bodyOf('getExecution', ({ executionResult: result, ...body }) =>
        isFields(result) ? { ...body, executionResult: without(result, 'reasoning') } : body,
      ),
      'sync-result-agrees',
    ],
    'file-sizes-have-units': [
      'The size of a file is a text with a unit.',
      directories(eachFile((file) => ({ ...file, fileSize: `${file.fileSize} B` }))),
    ],
    'copies-lack-the-inbox': [
      'A copy has no inboxEmail.',
      bodyOf('duplicateProfile', (body) => without(body, 'inboxEmail')),
    ],
    'cookies-lack-the-key': [
      'A cookie has no key.',
      bodyOf('updateProfile', ({ cookies, ...body }) => ({
        ...body,
        cookies: Array.isArray(cookies) ? cookies.map((cookie) => without(cookie, 'key')) : cookies,
      })),
      'cookies-are-added',
      'duplicate-copies-cookies',
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
  ...derivedFlags.flatMap(({ flag }) =>
    breaking('response-matches-schema', {
      'profiles-lack-sticky-ip': [
        `An updated profile has no ${flag}.`,
        bodyOf('updateProfile', (body) => without(body, flag)),
        'duplicate-copies-settings',
      ],
    }),
  ),
];
