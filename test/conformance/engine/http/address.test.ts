import { expect, test } from 'vitest';
import { addressOf, pathTo } from '../../../../conformance/engine/http/address.js';
import { type Operation, operationIds, operations } from '../../../../generated/operations.js';
import { ids } from '../../../support/evidence.js';

const { execution, workflow } = ids;
const host = 'https://api.example.com';

test.each([
  ['POST', `${host}/agents/v2/workflows/${workflow}/execute`, 'execute', workflow, host],
  ['GET', `${host}/agents/v2/executions/${execution}`, 'getExecution', execution, host],
  ['GET', `${host}/gate/way/agents/v2/executions/${execution}`, 'getExecution', execution, `${host}/gate/way`],
  ['GET', `http://[::1]:4010/agents/v2/executions/${execution}?a=/b#c`, 'getExecution', execution, 'http://[::1]:4010'],
  ['GET', `${host}/agents/v2/executions/not%20an%2Fid`, 'getExecution', 'not an/id', host],
  ['GET', `${host}/agents/v2/executions/%E0%A4%A`, 'getExecution', '%E0%A4%A', host],
])('%s %s is %s', (method, url, operation, resource, baseUrl) => {
  expect(addressOf(method, url)).toMatchObject({ operation, resource, baseUrl });
});

test.each(operationIds)('%s is recognized by its method and path', (operation) => {
  const shape: Operation = operations[operation];
  const resource = shape.pathParameters.length > 0 ? execution : '';
  const url = `${host}${pathTo(shape, { id: resource })}`;
  expect(addressOf(shape.method, url)).toEqual({ operation, resource, baseUrl: host, path: shape.path });
});

test.each([
  ['another method', 'PUT', `${host}/agents/v2/executions/${execution}`],
  ['a preflight of a browser', 'OPTIONS', `${host}/agents/v2/executions/${execution}`],
  ['another area of the service', 'GET', `${host}/agents/v2/schedules/${execution}`],
  ['a list', 'GET', `${host}/agents/v2/executions`],
  ['a longer path', 'GET', `${host}/agents/v2/executions/${execution}/recording`],
  ['another version', 'GET', `${host}/agents/v3/executions/${execution}`],
  ['a path in a query', 'GET', `${host}/proxy?to=/agents/v2/executions/${execution}`],
  ['a text that is not a web address', 'GET', `chrome-extension://x/agents/v2/executions/${execution}`],
])('%s belongs to no operation', (_, method, url) => {
  expect(addressOf(method, url)).toBeUndefined();
});

const operation = (path: string, ...pathParameters: string[]) =>
  ({ ...operations.getExecution, path, pathParameters }) satisfies Operation;

test.each<[string, string, string]>([
  ['one id', pathTo(operation('/a/{id}', 'id'), { id: 'x y' }), '/a/x%20y'],
  [
    'no id, and a query',
    pathTo(operation('/a'), { id: '', query: { status: 'a&b', limit: '5' } }),
    '/a?status=a%26b&limit=5',
  ],
])('a path with %s is filled', (_, path, want) => {
  expect(path).toBe(want);
});
