import { expect, test } from 'vitest';
import { keyHeaders, operations } from '../../generated/operations.js';
import { apiKey, execution, executionId, json, scripted, workflowId } from './support.js';

test('the raw client is openapi-fetch with the key added', async () => {
  const { client, sent } = scripted([
    () => execution('running'),
    () => json({ executionId, status: 'starting' }, 202),
    () => json({ code: 404, message: 'No such execution.' }, 404),
  ]);
  const read = await client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } });
  expect(read.data?.status).toBe('running');
  const path = { workflowId };
  const started = await client.raw.POST('/agents/v2/workflows/{workflowId}/execute', { params: { path }, body: {} });
  expect(started.response.status).toBe(202);
  const unknown = await client.raw.GET('/agents/v2/executions/{executionId}', {
    params: { path: { executionId: 'not-checked' } },
  });
  expect(unknown.error).toEqual({ code: 404, message: 'No such execution.' });
  const names = keyHeaders.map((name) => name.toLowerCase());
  const keys = sent.map(({ headers }) => [...headers].filter(([name]) => names.includes(name)));
  expect(keys).toEqual(
    (['getExecution', 'execute', 'getExecution'] as const).map((id) => [
      [operations[id].keyHeader.toLowerCase(), apiKey],
    ]),
  );
});

test('a request that a middleware creates has the key, and one whose path `..` has shortened has not', async () => {
  const { client, sent } = scripted([() => execution('running')]);
  client.raw.use({ onRequest: ({ request }) => new Request(request, { headers: { 'X-Trace': '1' } }) });
  for (const id of [executionId, '..'])
    await client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId: id } } });
  expect(
    sent.map(({ url, headers }) => [url, headers.get('X-Trace'), headers.get(operations.getExecution.keyHeader)]),
  ).toEqual([
    [`https://api.example.com/agents/v2/executions/${executionId}`, '1', apiKey],
    ['https://api.example.com/agents/v2/', '1', null],
  ]);
});

test('a middleware of the raw client does not change the methods', async () => {
  const { client } = scripted([() => execution('running')]);
  client.raw.use({ onResponse: () => Response.json({ id: executionId, status: 'completed' }) });
  expect((await client.getExecution(executionId)).status).toBe('running');
});
