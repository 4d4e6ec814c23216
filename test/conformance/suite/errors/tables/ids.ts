import type { RuleId } from '../../../../../generated/rules.js';
import type { Sketch } from '../../../../support/evidence.js';
import type { Row, Tables } from '../../../../support/judge-table.js';
import { probe } from '../../../../support/sketches.js';

type ById = 'getExecution' | 'listExecutionFiles' | 'updateProfile' | 'duplicateProfile' | 'deletePool';

const answer = (operation: ById, status: number): Sketch => ({
  operation,
  status,
  body: { code: status, message: 'Not found.' },
  mark: {},
});

const is404 = (rule: RuleId, operation: ById): readonly Row[] => {
  const unknown = (status: number) => probe(rule, answer(operation, status));
  return [
    ['satisfied', 'a 404, and another answer elsewhere', [unknown(404), answer(operation, 200)]],
    [
      'satisfied',
      'a 404, and a 401 without a key',
      [unknown(404), { ...answer(operation, 401), mark: { credential: 'none' } }],
    ],
    ['violated', 'a success', [unknown(200), answer(operation, 401)], { says: ['404 for a fault', '200'] }],
    ['violated', 'a 400', [unknown(400), answer(operation, 200)]],
    ['violated', 'a 403, although the key may', [unknown(403), answer(operation, 200)]],
    ['violated', 'a 500', [unknown(500)]],
    ['inconclusive', 'a 404 every time', [unknown(404), answer(operation, 404)], { says: 'every time' }],
    [
      'inconclusive',
      'a key that may not do this at all',
      [unknown(403), answer(operation, 403), { ...answer(operation, 401), mark: { credential: 'none' } }],
      { says: 'The key lacks the permission (403)' },
    ],
    [
      'inconclusive',
      'a key that may do only other things',
      [unknown(403), { ...answer(operation === 'getExecution' ? 'deletePool' : 'getExecution', 200) }],
    ],
    ['inconclusive', 'no answer', [probe(rule, { operation })]],
    ['ignored', 'ids that exist', [answer(operation, 200)]],
  ];
};

const files = (message: unknown, status = 404): Sketch => ({
  operation: 'listExecutionFiles',
  status,
  body: { code: status, message },
});
const unknownFiles = (message: unknown) => [
  probe('unknown-execution-files-is-404', files(message)),
  files('No key.', 401),
];

/** The listing of an execution that is not there, answered with such a body. */
const asBody = (body: unknown): Sketch[] => [
  probe('unknown-execution-files-is-404', { ...files(''), body }),
  files('No key.', 401),
];

const malformed = (status: number): Sketch =>
  probe('malformed-id-is-refused', { ...answer('getExecution', status), resource: 'not-a-uuid' });

export const ids = {
  'malformed-id-is-refused': [
    ['satisfied', 'a 400, and another answer elsewhere', [malformed(400), answer('getExecution', 404)]],
    ['satisfied', 'a 404, and another answer elsewhere', [malformed(404), answer('getExecution', 401)]],
    [
      'violated',
      'a success',
      [malformed(200), answer('getExecution', 404)],
      { says: ['a refusal of the id "not-a-uuid"', '200'] },
    ],
    ['violated', 'a recorded success', [{ operation: 'deletePool', resource: 'pool-1', status: 204 }]],
    ['violated', 'a redirect', [malformed(302)], { says: 'neither accepts nor refuses' }],
    ['inconclusive', 'the same answer every time', [malformed(404), answer('getExecution', 404)]],
    ['inconclusive', 'no answer', [probe('malformed-id-is-refused', { operation: 'getExecution', resource: 'x' })]],
    ['ignored', 'ids that are uuids', [answer('getExecution', 200)]],
    ['ignored', 'a recorded refusal', [{ operation: 'getExecution', resource: 'x', status: 400, body: {} }]],
    ['ignored', 'the operations that start', [{ operation: 'execute', resource: 'x', status: 202, body: {} }]],
  ],
  'unknown-execution-is-404': is404('unknown-execution-is-404', 'getExecution'),
  'unknown-execution-files-is-404': [
    ...is404('unknown-execution-files-is-404', 'listExecutionFiles'),
    ...[
      'Execution not found',
      'EXECUTION_NOT_FOUND',
      'The execution does not exist.',
      'Unable to find execution.',
      'Failed to locate the run',
      'Could not locate it.',
      'No record found for this id.',
      'No such entity',
      'Nothing found',
      'Nonexistent id',
      'It never existed.',
      'The execution is gone.',
      'It couldn’t be found',
      'cannot find it',
      'No execution with this id',
      'unknown execution',
      'ExecutionNotFound',
      'Die Ausführung wurde nicht gefunden.',
      '実行が見つかりません',
    ].map((message): Row => ['satisfied', `a message that says so: ${message}`, unknownFiles(message)]),
    [
      'violated',
      'a message that says nothing',
      unknownFiles('An error occurred.'),
      { says: ['was not found', '"An error occurred."'] },
    ],
    ['violated', 'no message', unknownFiles(undefined), { says: 'an explanation' }],
    ['satisfied', 'a body that is a JSON text', asBody('Execution not found')],
    ['violated', 'a JSON text that says nothing', asBody('Error'), { says: '"Error"' }],
    ['violated', 'null', asBody(null), { says: 'an explanation' }],
    ['violated', 'the type of a problem that the status says all of', unknownFiles('about:blank')],
    [
      'violated',
      'an empty message beside a time, an id and an address',
      [
        probe('unknown-execution-files-is-404', {
          ...files(''),
          body: {
            code: 404,
            message: '',
            timestamp: '2026-01-01T00:00:00Z',
            traceId: 'c0ffee1234',
            instance: '/agents/v2',
          },
        }),
        files('No key.', 401),
      ],
    ],
    [
      'satisfied',
      'a detail that says so',
      [
        probe('unknown-execution-files-is-404', {
          ...files(''),
          body: { code: 404, message: 'Error', errors: [{ parameter: 'executionId', detail: 'No such execution.' }] },
        }),
        files('No key.', 401),
      ],
    ],
    ['violated', 'a recorded 404 that does not say why', [files('Error')]],
    ['satisfied', 'a recorded 404 that does', [files('Execution not found')]],
    ['ignored', 'a recorded 404 for an id that is no uuid', [{ ...files('Error'), resource: 'x' }]],
  ],
  'unknown-profile-is-404': [
    ...is404('unknown-profile-is-404', 'updateProfile'),
    [
      'satisfied',
      'a copy of an unknown profile',
      [probe('unknown-profile-is-404', answer('duplicateProfile', 404)), answer('duplicateProfile', 401)],
    ],
    [
      'inconclusive',
      'an update without a name, where none is taken',
      [probe('unknown-profile-is-404', { ...answer('updateProfile', 400), sent: { description: 'x' } })],
      { says: 'without a name' },
    ],
    [
      'ignored',
      'an update that lacks something else',
      [probe('unknown-profile-is-404', answer('updateProfile', 400), { unjudged: true })],
    ],
  ],
  'unknown-pool-is-404': is404('unknown-pool-is-404', 'deletePool'),
} satisfies Tables;
