import { expect, test } from 'vitest';
import { bindOperations, createContractClient } from '../../generated/client.js';
import { initialStatuses, isTerminal, shownTransitions, terminalStatuses } from '../../generated/lifecycle.js';
import { type OperationId, operationIds, operations } from '../../generated/operations.js';
import { callers, gaps, rules } from '../../generated/rules.js';

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
])('%s is described as the interface has it', (id, keyHeader, errorBody, requestBody, exclusive) => {
  expect(operations[id]).toMatchObject({ keyHeader, errorBody, requestBody, exclusive });
});

test('the table of operations lists deprecated request fields', () => {
  expect(operations.execute.deprecatedFields).toEqual(['agentProfileId', 'agentProfilePoolId', 'dynamicData']);
});

test.each(operationIds)('the client sends %s to its method and path, below the path of the base URL', async (id) => {
  const sent: Request[] = [];
  const client = createContractClient({
    baseUrl: 'https://gateway.example/inner/',
    fetch: async (request) => {
      sent.push(request);
      return Response.json({ code: 404, message: 'm' }, { status: 404 });
    },
  });
  const call = bindOperations(client)[id] as (...args: unknown[]) => Promise<{ error?: unknown }>;
  const { method, path, pathParameter, requestBody } = operations[id];
  const signal = AbortSignal.timeout(60_000);
  const init = { headers: { 'X-Trace': 't' }, signal };
  const { error } = await call('an-id', ...(requestBody === 'none' ? [] : [{ organizationId: 'o' }]), init);
  expect(error).toEqual({ code: 404, message: 'm' });
  expect(sent.map((request) => `${request.method} ${request.url}`)).toEqual([
    `${method} https://gateway.example/inner${path.replace(`{${pathParameter}}`, 'an-id')}`,
  ]);
  expect(sent[0]?.headers.get('X-Trace')).toBe('t');
  expect(await sent[0]?.text()).toBe(requestBody === 'none' ? '' : '{"organizationId":"o"}');
});

test('an optional body that is not given is not sent', async () => {
  const bodies: (string | null)[] = [];
  const client = createContractClient({
    baseUrl: 'https://example.com',
    fetch: async (request) => {
      bodies.push(request.body && (await request.text()));
      return Response.json({});
    },
  });
  await bindOperations(client).duplicateProfile('an-id');
  expect(bodies).toEqual([null]);
});

test('the lifecycle is the one that the interface shows', () => {
  expect([...terminalStatuses].sort()).toEqual(['cancelled', 'completed', 'failed']);
  expect([...initialStatuses].sort()).toEqual(['queued', 'starting']);
  expect(shownTransitions.map(({ from, to }) => [from, to])).toEqual([
    [null, 'starting'],
    [null, 'queued'],
    ['queued', null],
  ]);
  expect(isTerminal('failed')).toBe(true);
  expect(isTerminal('paused')).toBe(false);
});

test('no id of the register is gone or new without notice', () => {
  expect([...rules, ...gaps, ...callers].map(({ id }) => id).sort()).toMatchSnapshot();
});
