/** Faults with ids in the path that are malformed, or that nothing has. */

import type { OperationId } from '../../../generated/operations.js';
import { type RuleId, rules } from '../../../generated/rules.js';
import { executionIds, profileIds } from '../../../reference/fixtures.js';
import { answering, isFields, restated, undocumented } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const malformed = (id: string) => !/^[\da-f-]{36}$/i.test(id);

/** Takes a malformed id for the id of something that exists. */
const reads = (operation: OperationId, id: string, ...also: RuleId[]): Fault => ({
  id: `${operation}-takes-malformed-ids`,
  breaks: ['malformed-id-is-refused', ...also],
  says: `${operation} takes an id that is no uuid for some other one.`,
  behaviour: (base) => ({
    receive: (call) => base.receive(call.operation === operation && malformed(call.id) ? { ...call, id } : call),
  }),
});

/** Answers requests for what does not exist with a status other than 404. */
const notFound = (operation: OperationId, status: number, breaks: RuleId): Fault => ({
  id: `${operation}-of-nothing-is-${status}`,
  breaks: [breaks, ...undocumented(operation, status)],
  says: `${operation} answers ${status} where the id is nobody’s.`,
  behaviour: answering((answer, call) =>
    call.operation === operation && answer.status === 404 && !malformed(call.id) ? restated(answer, status) : answer,
  ),
});

export const idFaults: readonly Fault[] = [
  ...rules.flatMap(({ id, on }) =>
    /^unknown-.*-is-404$/.test(id) ? on.map((operation) => notFound(operation, 400, id)) : [],
  ),
  notFound('getExecution', 410, 'unknown-execution-is-404'),
  ...breaking('unknown-execution-is-404', {
    'unknown-executions-are-others': [
      'For an execution that does not exist another one is shown.',
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
    'missing-files-are-not-explained': [
      'The message for the files of an execution that does not exist says nothing of it.',
      answering((answer, { operation }) =>
        operation === 'listExecutionFiles' && isFields(answer.body) && answer.status === 404
          ? { ...answer, body: { ...answer.body, message: 'Something went wrong.' } }
          : answer,
      ),
    ],
  }),
  notFound('duplicateProfile', 403, 'unknown-profile-is-404'),
  ...breaking('unknown-profile-is-404', {
    'unknown-profiles-are-others': [
      'For a profile that does not exist another one is updated or duplicated.',
      (base) => ({
        findProfile: (organization, id) =>
          base.findProfile(organization, id) ?? organization.profiles.get(profileIds.held),
      }),
      'update-keeps-identity',
    ],
  }),
  ...breaking('unknown-pool-is-404', {
    'deleting-any-pool-is-done': [
      'Deleting a pool that is not there is answered as done.',
      answering((answer, { operation }) =>
        operation === 'deletePool' && answer.status === 404 ? { status: 204 } : answer,
      ),
      'deleted-pool-is-gone',
    ],
  }),
];
