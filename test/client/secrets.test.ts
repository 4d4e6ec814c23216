import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { createWorkflowClient } from '../../client/index.js';
import { operationIds, operations } from '../../generated/operations.js';
import { type Served, serve } from '../support/serve.js';
import { answers, redirects } from './hostile.js';
import { apiKey, callOf, errorOf, executionId, json, scripted, workflowId } from './support.js';

const servers: Served[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const start = async (...args: Parameters<typeof serve>) => {
  const server = await serve(...args);
  servers.push(server);
  return server;
};

const shown = (value: unknown) =>
  [
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value),
    String(value),
    (value as Error).stack,
  ].join();

describe('the key', () => {
  test('is sent in the header that the contract documents for the operation, and in no other', async () => {
    const { client, sent } = scripted([() => json({ code: 400, message: 'No.' }, 400)], {
      apiKey: 'plain-key',
      serviceApiKey: 'service-key',
    });
    for (const operation of operationIds) {
      const header = operations[operation].keyHeader.toLowerCase();
      await errorOf(callOf(client, operation), 'refused');
      const keys = [...(sent.pop()?.headers ?? [])].filter(([name]) => name.includes('key'));
      expect(keys).toEqual([[header, header === 'x-api-key' ? 'plain-key' : 'service-key']]);
    }
  });

  test('is the same for both headers unless the caller sets two', async () => {
    const { client, sent } = scripted([() => json({}, 400)]);
    await errorOf(client.getExecution(executionId));
    expect(sent[0]?.headers.get(operations.getExecution.keyHeader)).toBe(apiKey);
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect (%d) to another origin', async (status) => {
    const elsewhere = await start(answers(200, '{}'));
    const server = await start(redirects(`${elsewhere.url}/stolen`, status));
    const client = createWorkflowClient({ baseUrl: server.url, apiKey, maxRetries: 0 });
    await errorOf(client.getExecution(executionId), 'malformed-response');
    const isCertain = [301, 307, 308].includes(status);
    await errorOf(client.execute(workflowId), isCertain ? 'malformed-response' : 'may-have-started');
    await client.raw
      .GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } })
      .catch((error: unknown) => error);
    expect(server.requests).toHaveLength(3);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('is not sent by the raw client when it could follow a redirect', async () => {
    const elsewhere = await start(answers(200, '{}'));
    const server = await start(redirects(`${elsewhere.url}/stolen`));
    const { raw } = createWorkflowClient({ baseUrl: server.url, apiKey });
    const params = { path: { executionId } };
    await raw.GET('/agents/v2/executions/{executionId}', { params, redirect: 'follow' });
    await raw.GET('/agents/v2/executions/{executionId}', { params, baseUrl: elsewhere.url });
    const arrived = [...server.requests, ...elsewhere.requests];
    expect(arrived).toHaveLength(3);
    expect(JSON.stringify(arrived)).not.toContain(apiKey);
  });

  test('is in no error, even if the service repeats it', async () => {
    const server = await start((request, response) => {
      const key = request.headers['x-api-key'];
      const errors = [{ parameter: String(key), detail: `${key} is wrong` }];
      answers(401, JSON.stringify({ code: 401, message: `No such key: ${key}`, errors }))(request, response);
    });
    const client = createWorkflowClient({ baseUrl: server.url, apiKey });
    const error = await errorOf(client.execute(workflowId), 'unauthorized');
    expect(error.message).toContain('No such key: [key]');
    expect(shown(error)).not.toContain(apiKey);
  });

  test('is in no error in part, when one key begins with the other', async () => {
    const both = { apiKey: 'key-one', serviceApiKey: 'key-one-and-more' };
    const message = `Not ${both.serviceApiKey}, nor ${both.apiKey}.`;
    const { client } = scripted([() => json({ code: 401, message }, 401)], both);
    expect((await errorOf(client.getExecution(executionId))).message).toContain('Not [key], nor [key].');
  });

  test('is in no error, even if fetch throws the whole request', async () => {
    const fetch = async (_: unknown, init?: RequestInit) => {
      const request = { headers: Object.fromEntries(new Headers(init?.headers)) };
      throw Object.assign(new Error(`failed: ${JSON.stringify(request)}`, { cause: request }), { request });
    };
    const client = createWorkflowClient({ baseUrl: 'https://api.example.com', apiKey, fetch, maxRetries: 0 });
    for (const call of [client.getExecution(executionId), client.execute(workflowId), client.run(workflowId)]) {
      expect(shown(await errorOf(call))).not.toContain(apiKey);
    }
  });

  test('is in no error of a wait, even if the service uses it as a state', async () => {
    const { client, clock } = scripted([() => json({ id: apiKey, status: apiKey })]);
    const ended = errorOf(client.waitFor(executionId, { timeoutMs: 5000 }), 'timeout');
    await clock.advance(5000);
    expect(shown(await ended)).not.toContain(apiKey);
  });

  test('is not in the client', () => {
    const client = createWorkflowClient({ baseUrl: 'https://api.example.com', apiKey });
    expect(shown(client)).not.toContain(apiKey);
    expect(shown(client.raw)).not.toContain(apiKey);
  });
});
