/** Faults in the bodies of answers, and with ids that are malformed or unknown. */

import { derivedFlags } from '../../../generated/flags.js';
import type { OperationId } from '../../../generated/operations.js';
import { type RuleId, rules } from '../../../generated/rules.js';
import { executionIds, profileIds } from '../../../reference/fixtures.js';
import {
  answering,
  bodyOf,
  directories,
  eachFile,
  explaining,
  isFields,
  isRefusal,
  restated,
  undocumented,
  without,
} from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const malformed = (id: string) => !/^[\da-f-]{36}$/i.test(id);

/** Takes a malformed id for the id of something that exists. */
const reads = (operation: OperationId, id: string, ...also: RuleId[]): Fault => ({
  id: `${operation}-takes-malformed-ids`,
  breaks: ['malformed-id-is-refused', ...also],
  behaviour: (base) => ({
    receive: (call) => base.receive(call.operation === operation && malformed(call.id) ? { ...call, id } : call),
  }),
});

/** Answers requests for what does not exist with a status other than 404. */
const notFound = (operation: OperationId, status: number, breaks: RuleId): Fault => ({
  id: `${operation}-of-nothing-is-${status}`,
  breaks: [breaks, ...undocumented(operation, status)],
  behaviour: answering((answer, call) =>
    call.operation === operation && answer.status === 404 && !malformed(call.id) ? restated(answer, status) : answer,
  ),
});

const ownCode = (status: number): Fault['behaviour'] =>
  explaining('Simple', (error, actual) => (actual === status ? { ...error, code: status * 100 + 1 } : error));

export const shapeFaults: readonly Fault[] = [
  ...breaking('response-matches-schema', {
    'results-lack-the-reasoning': [
      bodyOf('getExecution', ({ executionResult: result, ...body }) =>
        isFields(result) ? { ...body, executionResult: without(result, 'reasoning') } : body,
      ),
      'sync-result-agrees',
    ],
    'file-sizes-have-units': directories(eachFile((file) => ({ ...file, fileSize: `${file.fileSize} B` }))),
    'copies-lack-the-inbox': bodyOf('duplicateProfile', (body) => without(body, 'inboxEmail')),
    'cookies-lack-the-key': [
      bodyOf('updateProfile', ({ cookies, ...body }) => ({
        ...body,
        cookies: Array.isArray(cookies) ? cookies.map((cookie) => without(cookie, 'key')) : cookies,
      })),
      'cookies-are-added',
      'duplicate-copies-cookies',
    ],
    'last-updated-is-never': bodyOf('listExecutionFiles', (body) =>
      isFields(body.directories) && Object.values(body.directories).flat().length > 0
        ? body
        : { ...body, lastUpdated: 'never' },
    ),
  }),
  ...derivedFlags.flatMap(({ flag }) =>
    breaking('response-matches-schema', {
      'profiles-lack-sticky-ip': [bodyOf('updateProfile', (body) => without(body, flag)), 'duplicate-copies-settings'],
    }),
  ),
  ...breaking('standard-error-shape', {
    'errors-lack-the-message-at-times': [
      (base) => {
        let count = 0;
        return answering((answer) => {
          if (!isRefusal(answer) || !isFields(answer.body)) return answer;
          count += 1;
          return count % 12 === 0 ? { ...answer, body: without(answer.body, 'message', 'detail') } : answer;
        })(base);
      },
      'simple-error-shape',
      'files-error-shape',
    ],
    'several-mistakes-lack-the-code': explaining('Standard', (error) =>
      Array.isArray(error.errors) && error.errors.length > 1 ? without(error, 'code') : error,
    ),
    'wants-of-capacity-lack-the-code': explaining('Standard', (error, status) =>
      status === 429 ? { ...without(error, 'code'), detail: error.message } : error,
    ),
  }),
  ...breaking('standard-error-detail', {
    'details-differ-at-the-limit': answering((answer) =>
      answer.status === 429 && isFields(answer.body)
        ? { ...answer, body: { ...answer.body, detail: `${answer.body.message} Come back later.` } }
        : answer,
    ),
    'detail-differs-from-message': explaining('Standard', (error) => ({ ...error, detail: `${error.message} Sorry.` })),
  }),
  ...breaking('standard-error-instance', {
    'instance-is-a-url': explaining('Standard', (error) => ({
      ...error,
      instance: `https://api.example.com${error.instance}`,
    })),
    'instance-is-the-asynchronous-path': explaining('Standard', (error) => ({
      ...error,
      instance: String(error.instance).replace(/\/sync$/, ''),
    })),
  }),
  ...breaking('standard-error-status', {
    'error-status-is-always-400': explaining('Standard', (error) => ({ ...error, status: 400 })),
  }),
  ...breaking('standard-error-type', {
    'problem-types-are-words': explaining('Standard', (error) => ({ ...error, type: 'invalid_request' })),
  }),
  ...breaking('standard-error-title', {
    'titles-tell-all': explaining('Standard', (error) => ({ ...error, title: `${error.message} `.repeat(20) })),
  }),
  ...breaking('standard-error-parameter', {
    'parameters-are-numbered': explaining('Standard', (error) => ({
      ...error,
      ...(Array.isArray(error.errors) && {
        errors: error.errors.map((one, index) => ({ ...one, parameter: `p${index}` })),
      }),
    })),
  }),
  ...breaking('simple-error-shape', {
    'simple-errors-lack-the-message': [
      explaining('Simple', ({ code }) => ({ code })),
      'files-error-shape',
      'unknown-execution-files-is-404',
    ],
    'simple-errors-lack-the-code': [explaining('Simple', (error) => without(error, 'code')), 'files-error-shape'],
    'simple-codes-are-words': [explaining('Simple', (error) => ({ ...error, code: 'not_found' })), 'files-error-shape'],
  }),
  ...breaking('simple-error-code', {
    'code-of-400-is-its-own': ownCode(400),
    'code-of-401-is-its-own': ownCode(401),
    'code-of-403-is-its-own': ownCode(403),
    'code-of-404-is-its-own': ownCode(404),
  }),
  ...rules.flatMap(({ id, on }) =>
    /^unknown-.*-is-404$/.test(id) ? on.map((operation) => notFound(operation, 400, id)) : [],
  ),
  notFound('getExecution', 410, 'unknown-execution-is-404'),
  ...breaking('unknown-execution-is-404', {
    'unknown-executions-are-others': [
      (base) => ({
        findRun: (organization, id) => base.findRun(organization, id) ?? organization.runs.get(executionIds.seeded),
      }),
      'unknown-execution-files-is-404',
      'execution-is-the-one-asked-for',
      'files-belong-to-execution',
      'files-are-listed-once',
    ],
  }),
  reads('getExecution', executionIds.seeded, 'execution-is-the-one-asked-for'),
  reads('listExecutionFiles', executionIds.seeded, 'files-belong-to-execution', 'files-are-listed-once'),
  reads('updateProfile', profileIds.profile, 'update-keeps-identity'),
  ...breaking('unknown-execution-files-is-404', {
    'missing-files-are-not-explained': answering((answer, { operation }) =>
      operation === 'listExecutionFiles' && isFields(answer.body) && answer.status === 404
        ? { ...answer, body: { ...answer.body, message: 'Something went wrong.' } }
        : answer,
    ),
  }),
  notFound('duplicateProfile', 403, 'unknown-profile-is-404'),
  ...breaking('unknown-profile-is-404', {
    'unknown-profiles-are-others': [
      (base) => ({
        findProfile: (organization, id) =>
          base.findProfile(organization, id) ?? organization.profiles.get(profileIds.held),
      }),
      'update-keeps-identity',
    ],
  }),
  ...breaking('unknown-pool-is-404', {
    'deleting-any-pool-is-done': [
      answering((answer, { operation }) =>
        operation === 'deletePool' && answer.status === 404 ? { status: 204 } : answer,
      ),
      'deleted-pool-is-gone',
    ],
  }),
];
