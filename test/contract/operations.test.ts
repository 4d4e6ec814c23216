import { expect, test } from 'vitest';
import {
  initialStatuses,
  isStopped,
  isTerminal,
  shownTransitions,
  terminalStatuses,
} from '../../generated/lifecycle.js';
import { type Operation, type OperationId, operations } from '../../generated/operations.js';

// interface: Endpoints, Authentication, Errors
const exclusive = [
  ['version', 'head'],
  ['profileId', 'profileGroupId'],
];
test.each<[OperationId, string, string, string, string[][]]>([
  ['execute', 'X-Api-Key', 'standard', 'required', exclusive],
  ['executeSync', 'X-Api-Key', 'standard', 'required', exclusive],
  ['getExecution', 'X-Service-Agents-Api-Key', 'simple', 'none', []],
  ['listExecutionFiles', 'X-Api-Key', 'either', 'none', []],
  ['updateProfile', 'X-Service-Agents-Api-Key', 'simple', 'required', []],
  ['duplicateProfile', 'X-Service-Agents-Api-Key', 'simple', 'optional', []],
  ['deletePool', 'X-Service-Agents-Api-Key', 'simple', 'none', []],
])('%s has the properties of the interface', (id, keyHeader, errorBody, requestBody, exclusive) => {
  expect(operations[id]).toMatchObject({
    keyHeader,
    errorBody,
    requestBody,
    exclusive: expect.arrayContaining(exclusive),
  });
});

// interface: Endpoints
test.each<[OperationId, Operation['effect'], Operation['resource'], Operation['subject'], Operation['essential']]>([
  ['execute', 'starts', 'execution', 'workflow', ['executionId', 'uuid']],
  ['executeSync', 'starts', 'execution', 'workflow', ['executionId', 'uuid']],
  ['getExecution', 'reads', 'execution', 'execution', ['status', 'string']],
  ['listExecutionFiles', 'reads', 'file', 'execution', ['directories', 'object']],
  ['updateProfile', 'changes', 'profile', 'profile', ['id', 'uuid']],
  ['duplicateProfile', 'copies', 'profile', 'profile', ['id', 'uuid']],
  ['deletePool', 'ends', 'pool', 'pool', null],
])('%s %s a resource of the kind %s', (id, effect, resource, subject, essential) => {
  expect(operations[id]).toMatchObject({ effect, resource, subject, essential });
  expect(operations[id].repeatable).toBe(effect === 'reads' || effect === 'ends');
});

test('the table of operations lists deprecated request fields', () => {
  expect(operations.execute.deprecatedFields).toMatchObject({
    agentProfileId: 'profileId',
    agentProfilePoolId: 'profileGroupId',
    dynamicData: 'inputs',
  });
});

test('the lifecycle is that of the interface', () => {
  expect([...terminalStatuses].sort()).toEqual(['cancelled', 'completed', 'failed']);
  expect([...initialStatuses].sort()).toEqual(['queued', 'starting']);
  expect(shownTransitions.map(({ from, to }) => [from, to])).toEqual([
    [null, 'starting'],
    [null, 'queued'],
    ['queued', null],
  ]);
  expect(isTerminal('failed')).toBe(true);
  expect(isTerminal('paused')).toBe(false);
  expect(isStopped('paused')).toBe(true);
  expect(isStopped('running')).toBe(false);
});
