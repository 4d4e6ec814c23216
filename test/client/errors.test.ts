import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { errorKinds } from '../../client/errors.js';
import { createWorkflowClient, WorkflowError, type WorkflowErrorKind } from '../../client/index.js';
import { deadAddress, listen, type Served, serve } from '../support/serve.js';
import { answers, hangs, hangsMidBody, html, redirects, resets, resetsMidBody } from './hostile.js';
import { apiKey, errorOf, executionId, profileId, workflowId } from './support.js';

const servers: Served[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function against(behaviour: RequestListener, timeoutMs = 20_000) {
  const server = await serve(behaviour);
  servers.push(server);
  return { server, client: createWorkflowClient({ baseUrl: server.url, apiKey, timeoutMs, maxRetries: 0 }) };
}

const simple = (code: number) => JSON.stringify({ code, message: 'Because.' });
const standard = JSON.stringify({
  code: 4711,
  message: 'The request is invalid.',
  detail: 'The request is invalid.',
  errors: [{ parameter: 'version', detail: 'not together with head' }, { parameter: 1 }],
});

describe('a failing answer', () => {
  const table: [name: string, behaviour: RequestListener, reading: WorkflowErrorKind, starting: WorkflowErrorKind][] = [
    ['400', answers(400, simple(400)), 'refused', 'refused'],
    ['401', answers(401, simple(401)), 'unauthorized', 'unauthorized'],
    ['403', answers(403, simple(403)), 'forbidden', 'forbidden'],
    ['404', answers(404, simple(404)), 'not-found', 'not-found'],
    ['429', answers(429, simple(429)), 'rate-limited', 'rate-limited'],
    ['500 of the service', answers(500, simple(500)), 'server', 'server'],
    ['502', answers(502, simple(502)), 'server', 'may-have-started'],
    ['500 of a gateway', html(500), 'intermediary', 'may-have-started'],
    ['404 without a body', answers(404), 'intermediary', 'may-have-started'],
    ['an error with half a body', answers(400, '{"code":400,"mess'), 'intermediary', 'may-have-started'],
    ['an error that is cut off', resetsMidBody(500), 'network', 'may-have-started'],
    ['a page instead of an answer', html(200), 'malformed-response', 'may-have-started'],
    ['half an answer', answers(200, '{"executionId":"9b2f'), 'malformed-response', 'may-have-started'],
    ['null', answers(200, 'null'), 'malformed-response', 'may-have-started'],
    ['a list', answers(200, '[]'), 'malformed-response', 'may-have-started'],
    ['another service', answers(200, '{"hello":"world"}'), 'malformed-response', 'may-have-started'],
    ['not modified', answers(304), 'malformed-response', 'may-have-started'],
    ['an answer that is cut off', resetsMidBody(200), 'network', 'may-have-started'],
    ['a broken connection', resets, 'network', 'may-have-started'],
    ['a redirect', redirects('/elsewhere', 302), 'malformed-response', 'may-have-started'],
    [
      'a redirect with a note that the request had no effect',
      redirects('/elsewhere', 308),
      'malformed-response',
      'malformed-response',
    ],
  ];

  test.each(table)(
    '%s has its own kind of error, for a reading and for a start, which is not repeated',
    async (_, behaviour, reading, starting) => {
      const { client, server } = await against(behaviour);
      expect((await errorOf(client.getExecution(executionId))).kind).toBe(reading);
      expect((await errorOf(client.listExecutionFiles(executionId))).kind).toBe(reading);
      expect((await errorOf(client.updateProfile(profileId, {}))).kind).toBe(reading);
      expect((await errorOf(client.duplicateProfile(profileId))).kind).toBe(reading);
      expect((await errorOf(client.execute(workflowId))).kind).toBe(starting);
      expect((await errorOf(client.executeSync(workflowId))).kind).toBe(starting);
      expect((await errorOf(client.run(workflowId))).kind).toBe(starting);
      expect(server.requests).toHaveLength(7);
    },
  );

  test.each([
    ['that hangs', hangs],
    ['that hangs in the middle', hangsMidBody],
  ])('a call to a service %s ends at its deadline', async (_, behaviour) => {
    const { client } = await against(behaviour, 50);
    expect(await errorOf(client.getExecution(executionId), 'timeout')).toMatchObject({ executionId });
    const started = await errorOf(client.execute(workflowId, {}), 'may-have-started');
    expect(started).toMatchObject({ operation: 'execute', requestSent: true });
    expect(started.message).toContain('look for it by your metadata before you start another');
  });

  test('when nothing listens, no request was sent, so a start can be tried again', async () => {
    const client = createWorkflowClient({ baseUrl: await deadAddress(), apiKey, maxRetries: 0 });
    const reading = await errorOf(client.getExecution(executionId), 'network');
    expect(reading.requestSent).toBe(false);
    expect(reading.message).toContain('ECONNREFUSED');
    expect(await errorOf(client.execute(workflowId), 'network')).toMatchObject({ requestSent: false });
  });
});

test('when the server closes the connection before TLS is set up, no request was sent', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}).end());
  const baseUrl = (await listen(server)).replace('http:', 'https:');
  const client = createWorkflowClient({ baseUrl, apiKey });
  expect(await errorOf(client.execute(workflowId), 'network')).toMatchObject({ requestSent: false });
  server.close();
});

test('when fetch refuses the headers, no request was sent', async () => {
  const { server } = await against(answers(200, '{}'));
  const headers = { 'Transfer-Encoding': 'chunked' };
  const client = createWorkflowClient({ baseUrl: server.url, apiKey, headers });
  expect(await errorOf(client.execute(workflowId), 'network')).toMatchObject({ requestSent: false });
  expect(server.requests).toHaveLength(0);
});

describe('an error', () => {
  test('from the standard body has status, code, message and parameters', async () => {
    const { client } = await against(answers(422, standard));
    const error = await errorOf(client.execute(workflowId));
    expect(error).toMatchObject({
      name: 'WorkflowError',
      operation: 'execute',
      kind: 'refused',
      status: 422,
      code: 4711,
      parameters: [{ parameter: 'version', detail: 'not together with head' }],
      requestSent: true,
    });
    expect(error.message).toBe('execute: The request is invalid.; version: not together with head (HTTP 422)');
  });

  test("does not repeat a parameter's text that the message contains", async () => {
    const errors = [
      { parameter: 'version', detail: 'must be an integer' },
      { parameter: 'head', detail: 'must be a boolean' },
    ];
    const { client } = await against(
      answers(400, JSON.stringify({ code: 400, message: 'version must be an integer.', errors })),
    );
    expect((await errorOf(client.execute(workflowId))).message).toBe(
      'execute: version must be an integer.; head: must be a boolean (HTTP 400)',
    );
  });

  test('from the simple body has status, code, message and the execution', async () => {
    const { client } = await against(answers(404, simple(404)));
    const error = await errorOf(client.getExecution(executionId));
    expect({ ...error }).toEqual({
      kind: 'not-found',
      operation: 'getExecution',
      status: 404,
      code: 404,
      executionId,
      requestSent: true,
    });
    expect(error.message).toBe('getExecution: Because. (HTTP 404)');
  });

  test('has the time to wait that the service names', async () => {
    const { client } = await against(answers(429, simple(429), { 'Retry-After': '3' }));
    expect((await errorOf(client.execute(workflowId))).retryAfterMs).toBe(3000);
  });

  test('is one line of readable length, whatever text the service answers', async () => {
    const message = '\u001b[31m\r\n2026-01-01 forged '.repeat(1000);
    const errors = Array(20).fill({ parameter: 'inputs\n', detail: message });
    const { client } = await against(answers(400, JSON.stringify({ code: 400, message, errors })));
    const error = await errorOf(client.execute(workflowId));
    expect(error.parameters?.[0]?.parameter).toBe('inputs ');
    expect(error.message).not.toMatch(/\p{Cc}/u);
    expect(error.message.length).toBeLessThan(1100);
  });

  test('is an instance of Error', () => {
    const error = new WorkflowError('network', 'gone');
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('WorkflowError: gone');
    expect(Object.keys(error)).toEqual(['kind', 'requestSent']);
  });
});

test('the guide lists every kind of error, and no other', () => {
  const guide = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| `kind` \|.*?\n(.*?)\n\n/s.exec(guide) ?? [];
  expect([...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind)).toEqual([...errorKinds]);
});
