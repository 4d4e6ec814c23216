import { describe, expect, test, vi } from 'vitest';
import type { RequestEvent, ResponseEvent, RetryEvent, WorkflowClientOptions } from '../../client/index.js';
import { operations } from '../../generated/operations.js';
import { samples } from '../../generated/samples.js';
// Loaded here already: the clock of these tests does not wait for a module.
import '../../client/run-all.js';
import { settled } from '../support/fake-clock.js';
import { apiKey, errorOf, execution, executionId, json, profileId, scripted, workflowId } from './support.js';

const busy = () => json({ code: 429, message: 'Later.' }, 429, { 'Retry-After': '86400', 'X-Request-Id': 'r-1' });

function observed(answers: (() => Response | Promise<Response>)[], more = {}) {
  const requests: RequestEvent[] = [];
  const responses: ResponseEvent[] = [];
  const retries: RetryEvent[] = [];
  const hooks = {
    onRequest: (event: RequestEvent) => void requests.push(event),
    onResponse: (event: ResponseEvent) => void responses.push(event),
    onRetry: (event: RetryEvent) => void retries.push(event),
  };
  return { ...scripted(answers, { ...hooks, ...more }), requests, responses, retries };
}

describe('hooks', () => {
  test('receive each request, each answer and each pause', async () => {
    const { client, clock, requests, responses, retries } = observed([busy, () => execution('running')], {
      maxRetryAfterMs: 2000,
    });
    const read = client.getExecution(executionId);
    await clock.advance(10_000);
    await read;
    expect(requests.map(({ operation, attempt, method }) => [operation, attempt, method])).toEqual([
      ['getExecution', 1, 'GET'],
      ['getExecution', 2, 'GET'],
    ]);
    expect(responses).toMatchObject([
      { status: 429, requestId: 'r-1', durationMs: 0, error: { kind: 'rate-limited', retryAfterMs: 86_400_000 } },
      { status: 200, attempt: 2 },
    ]);
    expect(responses[1]).not.toHaveProperty('error');
    // A day's Retry-After is no silent sleep: two seconds, and a little more.
    expect(retries).toMatchObject([{ operation: 'getExecution', attempt: 1, delayMs: 2375 }]);
  });

  test('receive a request without an answer', async () => {
    const { client, responses } = observed([() => Promise.reject(new TypeError('gone'))]);
    await errorOf(client.execute(workflowId));
    expect(responses).toMatchObject([{ operation: 'execute', error: { kind: 'may-have-started' } }]);
    expect(responses[0]).not.toHaveProperty('status');
  });

  test('receive requests of the raw client as well', async () => {
    const { client, requests, responses } = observed([() => execution('running')]);
    await client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } });
    expect(requests).toMatchObject([{ operation: 'getExecution', attempt: 1 }]);
    expect(responses).toMatchObject([{ operation: 'getExecution', status: 200 }]);
  });

  test('receive no request if apiKey() fails', async () => {
    const apiKey = () => Promise.reject(new Error('vault'));
    const { client, requests, responses } = observed([() => execution('running')], { apiKey });
    await errorOf(client.getExecution(executionId), 'configuration');
    const path = { executionId };
    await errorOf(client.raw.GET('/agents/v2/executions/{executionId}', { params: { path } }), 'configuration');
    expect([requests, responses]).toEqual([[], []]);
  });

  test('receive no key, and may add headers', async () => {
    const seen: string[] = [];
    const onRequest = ({ headers }: RequestEvent) => {
      seen.push(JSON.stringify([...headers]));
      headers.set('traceparent', '00-1');
      headers.set(operations.getExecution.keyHeader, 'another');
    };
    const { client, sent } = observed([() => execution('running')], { onRequest });
    await client.getExecution(executionId);
    await client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } });
    expect(seen.join()).not.toContain(apiKey);
    expect(
      sent.map(({ headers }) => [headers.get('traceparent'), headers.get(operations.getExecution.keyHeader)]),
    ).toEqual([
      ['00-1', apiKey],
      ['00-1', apiKey],
    ]);
  });

  test('that throw do not end a call', async () => {
    const uncaught: unknown[] = [];
    const later = queueMicrotask;
    vi.stubGlobal('queueMicrotask', (callback: () => void) =>
      later(() => {
        try {
          callback();
        } catch (error) {
          uncaught.push(error);
        }
      }),
    );
    const onResponse = () => {
      throw new Error('logger');
    };
    const { client } = observed([() => json({ executionId, status: 'starting' }, 202)], { onResponse });
    expect(await client.execute(workflowId)).toMatchObject({ executionId });
    vi.unstubAllGlobals();
    expect(uncaught).toEqual([new Error('logger')]);
  });
});

describe('log', () => {
  const logged = (answers: (() => Response | Promise<Response>)[], options: Partial<WorkflowClientOptions> = {}) => {
    const lines: string[] = [];
    return { lines, ...scripted(answers, { log: (line) => void lines.push(line), ...options }) };
  };

  test('prints each request and each answer with its body, and no key', async () => {
    const { client, lines } = logged([
      () => json({ executionId, status: 'starting', echo: apiKey }, 202),
      () => Promise.reject(new TypeError(`gone with ${apiKey}`)),
      () => execution('running'),
    ]);
    await client.execute(workflowId, { inputs: { month: '2026-10', key: apiKey } });
    await errorOf(client.updateProfile(profileId, {}));
    await client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } });
    const base = 'https://api.example.com/agents/v2';
    expect(lines).toEqual([
      `POST ${base}/workflows/${workflowId}/execute {"inputs":{"month":"2026-10","key":"[key]"}}`,
      `POST ${base}/workflows/${workflowId}/execute after 0 ms: 202 {"executionId":"${executionId}","status":"starting","echo":"[key]"}`,
      `PATCH https://api.example.com${operations.updateProfile.path.replace('{profileId}', profileId)} {}`,
      `PATCH https://api.example.com${operations.updateProfile.path.replace('{profileId}', profileId)} after 0 ms: updateProfile: no answer: gone with [key]`,
      `GET ${base}/executions/${executionId} `,
      `GET ${base}/executions/${executionId} after 0 ms: 200 `,
    ]);
  });

  test('prints no credential, no value of a cookie and no password, however long a body is', async () => {
    const secret = 's3cret \\" s3cret';
    const cookie = { ...samples.Cookie.minimal, value: secret };
    const { client, lines } = logged([
      () => json({ id: profileId, credentials: [{ name: 'portal', data: secret }], cookies: [cookie] }),
    ]);
    await client.updateProfile(profileId, {
      credentialsToAdd: [{ name: 'portal', data: secret }],
      cookiesToAdd: [cookie],
      customProxy: { password: secret },
    });
    await client.updateProfile(profileId, { credentialsToAdd: [{ name: 'a', data: 's3cret'.repeat(9000) }] });
    expect(lines).toHaveLength(4);
    expect(lines.join()).toContain('portal');
    expect(lines.join()).not.toContain('s3cret');
  });
});

describe('headers', () => {
  test('of the client and of a call are sent: those of the call replace those of the client, and the key replaces both', async () => {
    const { client, sent } = scripted([() => execution('completed')], {
      headers: { 'X-Team': 'a', 'X-Trace': '1', [operations.getExecution.keyHeader]: 'mine' },
    });
    await client.getExecution(executionId, { headers: { 'x-trace': '2' } });
    await client.waitFor(executionId, { headers: { 'x-trace': '3' } });
    await client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } });
    const shown = sent.map(({ headers: h }) => [
      h.get('X-Team'),
      h.get('X-Trace'),
      h.get(operations.getExecution.keyHeader),
    ]);
    expect(shown).toEqual([
      ['a', '2', apiKey],
      ['a', '3', apiKey],
      ['a', '1', apiKey],
    ]);
  });
});

test('from an iterator that can be read only once are sent with every request', async () => {
  const once = () => new Map([['X-Trace', '7']]).entries() as unknown as HeadersInit;
  const answers = ['starting', 'running', 'completed'].map((status) => () => execution(status));
  const started = () => json({ executionId, status: 'starting' }, 202);
  const { client, clock, sent } = scripted([...answers, started, ...answers, started, ...answers]);
  const ended = (async () => {
    await client.waitFor(executionId, { headers: once() });
    await client.run(workflowId, {}, { headers: once(), until: ['failed'] });
    for await (const _ of client.runAll([{ workflowId }], { headers: once() }));
  })();
  await clock.advance(60_000);
  await ended;
  expect(sent.map(({ headers }) => headers.get('X-Trace'))).toEqual(Array(11).fill('7'));
});

describe('a key that changes', () => {
  test('is read before each request, and removed from errors ever after', async () => {
    let now = 'first-key-1';
    const answer = () => json({ code: 401, message: 'Not first-key-1, not second-key-2.' }, 401);
    const { client, sent } = scripted([answer], { apiKey: async () => now });
    await errorOf(client.getExecution(executionId), 'unauthorized');
    now = 'second-key-2';
    expect((await errorOf(client.getExecution(executionId))).message).toContain('Not [key], not [key].');
    expect(sent.map(({ headers }) => headers.get(operations.getExecution.keyHeader))).toEqual([
      'first-key-1',
      'second-key-2',
    ]);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('vault: s3cret')), 'your apiKey function failed'],
    ['is empty', () => '', 'apiKey is missing'],
  ])('causes no request when it %s', async (_, key, said) => {
    const { client, sent } = scripted([() => execution('running')], { apiKey: key });
    const error = await errorOf(client.execute(workflowId), 'configuration');
    expect(error.message).toContain(said);
    expect(error.message).not.toContain('s3cret');
    expect(sent).toHaveLength(0);
  });

  test('that arrives after the deadline causes no request', async () => {
    let give = (_: string) => {};
    const { client, clock, sent } = scripted([() => execution('running')], {
      apiKey: () => new Promise<string>((resolve) => (give = resolve)),
    });
    const ended = errorOf(client.execute(workflowId, {}, { timeoutMs: 100 }), 'timeout');
    await clock.advance(100);
    expect(await ended).toMatchObject({ requestSent: false });
    give('late-key');
    await settled();
    expect(sent).toHaveLength(0);
  });
});
