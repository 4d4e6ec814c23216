import type { OperationId } from '../../../../../generated/operations.js';
import type { RuleId } from '../../../../../generated/rules.js';
import type { Sketch } from '../../../../support/evidence.js';
import type { Table, Tables } from '../../../../support/judge-table.js';
import { probe } from '../../../../support/sketches.js';

const answer = (operation: OperationId, status: number): Sketch => ({
  operation,
  status,
  body: { code: status, message: 'Not found.' },
  mark: {},
});

const is404 = (rule: RuleId, operation: OperationId): Table => {
  const unknown = (status: number) => probe(rule, answer(operation, status));
  return {
    'satisfied: a 404, and another answer elsewhere': [unknown(404), answer(operation, 200)],
    'violated: a success': { given: [unknown(200), answer(operation, 401)], says: ['404 for a fault', '200'] },
    'violated: a 400': [unknown(400), answer(operation, 200)],
    'inconclusive: a 404 every time': { given: [unknown(404), answer(operation, 404)], says: 'every time' },
    'inconclusive: a key without this permission': {
      given: [unknown(403), answer(operation, 403), { ...answer(operation, 401), mark: { credential: 'none' } }],
      says: 'The key lacks the permission (403)',
    },
    'inconclusive: a key with other permissions only': [
      unknown(403),
      { ...answer(operation === 'getExecution' ? 'updateProfile' : 'getExecution', 200) },
    ],
    'ignored: ids that exist': [answer(operation, 200)],
  };
};

const files = (message: unknown, status = 404): Sketch => ({
  operation: 'listExecutionFiles',
  status,
  body: { code: status, message },
});

/** The listing of an execution that is not there, answered with such a body. */
const asBody = (body: unknown): Sketch[] => [
  probe('unknown-execution-files-is-404', { ...files(''), body }),
  files('No key.', 401),
];

const malformed = (status: number): Sketch =>
  probe('malformed-id-is-refused', { ...answer('getExecution', status), resource: 'not-a-uuid' });

export const ids = {
  'malformed-id-is-refused': {
    'satisfied: a 404, and another answer elsewhere': [malformed(404), answer('getExecution', 401)],
    'violated: a success': {
      given: [malformed(200), answer('getExecution', 404)],
      says: ['a refusal of the id "not-a-uuid"', '200'],
    },
    'inconclusive: no answer': [probe('malformed-id-is-refused', { operation: 'getExecution', resource: 'x' })],
    'ignored: ids that are uuids': [answer('getExecution', 200)],
  },
  'unknown-execution-is-404': is404('unknown-execution-is-404', 'getExecution'),
  'unknown-execution-files-is-404': {
    ...is404('unknown-execution-files-is-404', 'listExecutionFiles'),
    'violated: null': { given: asBody(null), says: 'an explanation' },
    'violated: an empty message beside a time, an id and an address': [
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
    'violated: a recorded 404 without a reason': [files('Error')],
  },
  'unknown-profile-is-404': {
    ...is404('unknown-profile-is-404', 'updateProfile'),
    'inconclusive: an update without a name, where none is accepted': {
      given: [probe('unknown-profile-is-404', { ...answer('updateProfile', 400), sent: { description: 'x' } })],
      says: 'without a name',
    },
  },
  'unknown-pool-is-404': is404('unknown-pool-is-404', 'deletePool'),
} satisfies Tables;
