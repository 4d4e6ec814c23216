import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationId, operationIds, operations } from '../../generated/operations.js';
import { responseValidator } from '../../generated/validators.js';
import { responseExamples } from '../../mock/examples.js';
import { bodyLimit } from '../../mock/front.js';
import { type Mock, startMock } from '../../mock/index.js';
import { listen } from '../support/serve.js';
import { call, firstSuccess } from './support.js';

const notices: string[] = [];
let mock: Mock;
/** With dynamic answers, and behind a base path: one has nothing to do with the other. */
let dynamic: Mock;
beforeAll(async () => {
  mock = await startMock({ notice: (line) => notices.push(line) });
  dynamic = await startMock({ dynamic: true, basePath: '/gateway' });
});
afterAll(async () => {
  await mock.close();
  await dynamic.close();
});

const id = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';

/** What the interface says of the operation's error body. */
function expectErrorBody(operation: OperationId, { body, path }: Awaited<ReturnType<typeof call>>) {
  expect(body).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  if (operations[operation].errorBody === 'standard')
    expect(body).toMatchObject({ detail: body.message, instance: path, type: 'about:blank' });
}

describe('an operation', () => {
  it.each(operationIds)('%s answers a valid request with its first success', async (operation) => {
    const example = firstSuccess(mock, operation);
    expect(await call(mock, operation)).toMatchObject({ status: example?.status, body: example?.value });
  });

  it.each(operationIds)('%s answers 401 with its own error body when the key is missing', async (operation) => {
    const answer = await call(mock, operation, { keyless: true });
    expect(answer.status).toBe(401);
    expectErrorBody(operation, answer);
  });

  it.each(operationIds)('%s answers with each of its named examples when a request prefers it', async (operation) => {
    for (const { name, status, value } of responseExamples(mock.document, operation)) {
      const prefer = `example=${name}, code=${status}`;
      const { path, ...answer } = await call(mock, operation, { headers: { prefer } });
      const instance = (value as { instance?: string }).instance && { instance: path };
      expect(answer).toEqual({ status, body: { ...(value as object), ...instance } });
    }
  });
});

describe('a preference', () => {
  it('needs no status beside the name of an example', async () => {
    const answer = await call(mock, 'getExecution', { headers: { prefer: 'example=notFound' } });
    expect(answer).toMatchObject({ status: 404, body: { code: 404 } });
  });

  it.each([
    ['example=nonesuch', /completed \(200\).*notFound \(404\)/],
    ['example=queued, code=404', /completed \(200\)/],
    ['code=418', /200, 400, 401/],
    ['code=many', /200, 400, 401/],
  ])('for %s is refused, and the answer lists the possible values', async (prefer, message) => {
    const answer = await call(mock, 'getExecution', { headers: { prefer } });
    expect(answer).toMatchObject({ status: 400, body: { code: 400, message: expect.stringMatching(message) } });
  });
});

describe('a request that violates the contract is refused, and a valid one is answered:', () => {
  const other = 'c3a7e1d9-4b58-4e26-9f17-0d8b6a2c5e94';
  const cases: [OperationId, string, unknown, unknown][] = [
    ['execute', 'head with version', { head: true }, { head: true, version: 3 }],
    ['executeSync', 'head with version', { version: 3 }, { head: true, version: 3 }],
    ['execute', 'profile with group', { profileId: id }, { profileId: id, profileGroupId: other }],
    ['executeSync', 'profile with group', { profileGroupId: id }, { profileId: id, profileGroupId: other }],
    ['execute', 'softTimeoutMins 0', options(1), options(0)],
    ['executeSync', 'timeoutSeconds 0', { timeoutSeconds: 1 }, { timeoutSeconds: 0 }],
    ['executeSync', 'timeoutSeconds 26', { timeoutSeconds: 25 }, { timeoutSeconds: 26 }],
    ['execute', 'metadata that is no string', { metadata: { a: '1' } }, { metadata: { a: 1 } }],
    ['execute', 'an unknown word', { onCapacityLimit: 'queue' }, { onCapacityLimit: 'wait' }],
    ['updateProfile', 'an empty name', { name: 'n' }, { name: '' }],
    ['updateProfile', 'a name of 256', { name: 'n'.repeat(255) }, { name: 'n'.repeat(256) }],
    ['updateProfile', 'a description of 1001', { description: 'd'.repeat(1000) }, { description: 'd'.repeat(1001) }],
    ['duplicateProfile', 'an id that is no UUID', { organizationId: id }, { organizationId: 'mine' }],
  ];
  function options(softTimeoutMins: number) {
    return { executionOptions: { softTimeoutMins } };
  }

  it.each(cases)('%s, %s', async (operation, _, kept, broken) => {
    expect((await call(mock, operation, { body: kept })).status).toBeLessThan(300);
    const refused = await call(mock, operation, { body: broken });
    // The operations on profiles list no 422.
    expect(refused.status).toBe(operation.startsWith('execute') ? 422 : 400);
    expect(refused.body.code).toBe(refused.status);
    expectErrorBody(operation, refused);
  });
});

describe("a request that would end Prism, or get an answer of Prism's own,", () => {
  const execute = `/agents/v2/workflows/${id}/execute`;
  const key = { 'X-Api-Key': 'any', 'X-Service-Agents-Api-Key': 'any' };
  const json = { ...key, 'content-type': 'application/json' };
  const big = `{"inputs":{"a":"${'a'.repeat(bodyLimit)}"}}`;
  const cases: [string, string, RequestInit, number][] = [
    ['a path that is not valid percent-encoding', '/agents/v2/executions/%E0%A4%A', { headers: key }, 400],
    ['an Accept that is not a media type', `/agents/v2/executions/${id}`, { headers: { ...key, accept: 'foo' } }, 200],
    ['an Accept of another type', `/agents/v2/executions/${id}`, { headers: { ...key, accept: 'text/html' } }, 200],
    ['an unknown path', '/agents/v2/agents', { headers: key }, 404],
    ['a path of slashes', '//', { headers: key }, 404],
    ['a method that the path does not have', `/agents/v2/executions/${id}`, { method: 'PUT', headers: key }, 405],
    ['malformed JSON', execute, { method: 'POST', headers: json, body: '{"head":' }, 400],
    [
      'malformed JSON without a key',
      execute,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
      401,
    ],
    [
      'a body of another type',
      execute,
      { method: 'POST', headers: { ...key, 'content-type': 'text/plain' }, body: 'x' },
      415,
    ],
    [
      'a body of another type, where the operation lists no 415',
      `/agents/v2/agent-profiles/${id}`,
      { method: 'PATCH', headers: { ...key, 'content-type': 'text/plain' }, body: 'x' },
      400,
    ],
    [
      'a type that is not a media type',
      execute,
      { method: 'POST', headers: { ...key, 'content-type': 'foo' }, body: '{}' },
      415,
    ],
    [
      'an unknown character set',
      execute,
      { method: 'POST', headers: { ...key, 'content-type': 'application/json; charset=x' }, body: '{}' },
      202,
    ],
    ['a body over the limit', execute, { method: 'POST', headers: json, body: big }, 413],
    ['a body over the limit without a key', execute, { method: 'POST', body: big }, 401],
  ];

  it.each(cases)('%s, gets an answer of the contract', async (_, path, init, status) => {
    const response = await fetch(mock.url + path, init);
    const body = await response.json();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    if (status >= 400) expect(body).toMatchObject({ code: status, message: expect.any(String) });
    if (status >= 400 && path === execute) expect(body).toMatchObject({ instance: path, detail: body.message });
  });

  it('leaves the same Prism running', async () => {
    expect((await call(mock, 'getExecution')).status).toBe(200);
    expect(notices).toEqual([]);
  });

  it('is refused with the methods that its path has', async () => {
    const response = await fetch(`${mock.url}/agents/v2/executions/${id}`, { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET');
  });
});

describe('a base path', () => {
  it('precedes every path, and paths without it are unknown', async () => {
    expect(dynamic.url).toMatch(/:\d+\/gateway$/);
    expect((await call(dynamic, 'getExecution')).status).toBe(200);
    const refused = await call(dynamic, 'execute', { body: { head: true, version: 1 } });
    expect(refused.body.instance).toBe(refused.path);
    const outside = await fetch(new URL(`/agents/v2/executions/${id}`, dynamic.url));
    expect(outside.status).toBe(404);
  });
});

describe('the mock', () => {
  it('names the port that is in use, and the option for another', async () => {
    const taken = createServer();
    const port = Number(new URL(await listen(taken)).port);
    await expect(startMock({ port })).rejects.toThrow(
      `port ${port} is in use; choose another one, or 0 for any free port.`,
    );
    taken.close();
  });
});

describe('with dynamic answers', () => {
  it('the mock answers with other values of the same shape', async () => {
    const { status, body } = await call(dynamic, 'execute');
    expect(status).toBe(202);
    expect(body).not.toEqual(firstSuccess(dynamic, 'execute')?.value);
    expect(body).toMatchObject({ executionId: expect.stringMatching(/^[0-9a-f-]{36}$/), status: expect.any(String) });
  });

  it.each(operationIds)(
    'all 5 answers of %s conform to the contract, also where one field depends on another',
    async (id) => {
      const broken: unknown[] = [];
      for (let reading = 0; reading < 5; reading += 1) {
        const { status, body } = await call(dynamic, id);
        const validate = responseValidator(id, status);
        if (status >= 300 || validate === undefined || validate?.(body) === false)
          broken.push(validate?.errors ?? status);
      }
      expect(broken).toEqual([]);
    },
  );
});
