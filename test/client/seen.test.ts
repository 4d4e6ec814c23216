import { describe, expect, test } from 'vitest';
import { WorkflowError } from '../../client/index.js';
import { apiKey, errorOf, execution, executionId, json, scripted, workflowId } from './support.js';

describe('an error has details', () => {
  const problem = {
    code: 4711,
    message: 'No.',
    title: 'Conflict',
    type: 'https://errors.example/4711',
    instance: '/agents/v2',
    more: 'x'.repeat(5000),
  };

  test('of a failing answer', async () => {
    const { client } = scripted([() => json(problem, 409, { 'X-Request-Id': 'r-7', 'X-Echo': apiKey })]);
    const error = await errorOf(client.execute(workflowId), 'refused');
    expect(error).toMatchObject({
      title: 'Conflict',
      type: 'https://errors.example/4711',
      instance: '/agents/v2',
      requestId: 'r-7',
      headers: { 'x-request-id': 'r-7', 'x-echo': '[key]', 'content-type': 'application/json' },
    });
    expect(error.body).toHaveLength(1000);
    expect(error.body).toContain('"code":4711');
    expect(JSON.stringify(error)).not.toContain('x-echo');
  });

  test('of an answer that is not JSON', async () => {
    const { client } = scripted([() => new Response('<h1>Down</h1>', { status: 200 })]);
    expect((await errorOf(client.getExecution(executionId), 'malformed-response')).body).toBe('<h1>Down</h1>');
  });

  test('of the error that the runtime threw, without the key', async () => {
    const thrown = Object.assign(new TypeError(`fetch failed for ${apiKey}`), { secret: apiKey, code: 'EPIPE' });
    const { client } = scripted([() => Promise.reject(thrown)], { maxRetries: 0 });
    const { cause } = await errorOf(client.getExecution(executionId), 'network');
    expect(cause).toMatchObject({ name: 'TypeError', message: 'fetch failed for [key]', code: 'EPIPE' });
    expect(cause).not.toHaveProperty('secret');
  });

  test('of an error that is its own cause', async () => {
    const thrown = new Error('one', { cause: new Error('two') });
    (thrown.cause as Error).cause = thrown;
    const { client } = scripted([() => Promise.reject(thrown)], { maxRetries: 0 });
    expect((await errorOf(client.getExecution(executionId), 'network')).message).toContain('one (two)');
  });

  test.each<[name: string, fetch: () => unknown, said: string]>([
    ['throws a value that is not an error', () => Promise.reject(Symbol('odd')), 'no answer: Symbol(odd)'],
    ['returns nothing', () => undefined, 'no answer: fetch gave no Response'],
    ['returns another value', () => ({ ok: true, json: () => ({}) }), 'no answer: fetch gave no Response'],
  ])('of a replacement for fetch that %s', async (_, fetch, said) => {
    const { client } = scripted([], { fetch: fetch as never });
    expect((await errorOf(client.execute(workflowId), 'may-have-started')).message).toContain(said);
  });

  test('of a signal: its reason', async () => {
    const { client } = scripted([() => execution('running')]);
    const reason = new Error('The user went away.');
    expect((await errorOf(client.waitFor(executionId, { signal: AbortSignal.abort(reason) }), 'aborted')).cause).toBe(
      reason,
    );
  });

  test.each([
    ['a call', (client: ReturnType<typeof scripted>['client']) => client.getExecution('nothing')],
    ['a wait', (client: ReturnType<typeof scripted>['client']) => client.waitFor('nothing')],
    ['a run', (client: ReturnType<typeof scripted>['client']) => client.run('nothing')],
  ])('of %s: the line of its caller', async (_, call) => {
    const { client } = scripted([() => execution('running')]);
    expect((await errorOf(call(client), 'invalid-request')).stack).toContain('seen.test.ts');
  });

  test('and a success has its response', async () => {
    const { client } = scripted([() => json({ executionId, status: 'starting' }, 202, { 'X-Request-Id': 'r-9' })]);
    const { data, response } = await client.execute(workflowId).withResponse();
    expect([data.executionId, response.status, response.headers.get('x-request-id')]).toEqual([
      executionId,
      202,
      'r-9',
    ]);
    expect(await client.execute(workflowId)).toEqual(data);
    expect(await Promise.all([client.execute(workflowId)])).toEqual([data]);
  });
});

describe('a key in an error', () => {
  const key = 'k/ey+With=4?2';
  const forms: [name: string, text: string][] = [
    ['as it is', key],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded in lower case', encodeURIComponent(key).toLowerCase()],
    ['escaped in JSON', key.replaceAll('/', '\\/')],
    ['escaped by code', [...key].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')],
    ['as entities', [...key].map((one) => `&#${one.charCodeAt(0)};`).join('')],
    ['in base64', btoa(key)],
    ['in base64, escaped in JSON', btoa(key).replaceAll('/', '\\/')],
    ['in hexadecimal', Buffer.from(key).toString('hex')],
  ];
  test.each(forms)('is removed %s', async (_, text) => {
    const { client } = scripted([() => new Response(`<p>${text}</p>`, { status: 401 })], { apiKey: key });
    const error = await errorOf(client.getExecution(executionId), 'intermediary');
    expect(error.body).toMatch(/^<p>\[key\]=*<\/p>$/);
  });
});

test('a key is removed after text that looks like the beginning of an escape', async () => {
  const key = 'abcdef-42';
  const { client } = scripted([() => new Response(`100%${key} &#9${key} \\u00${key}`, { status: 401 })], {
    apiKey: key,
  });
  expect((await errorOf(client.execute(workflowId))).body).toBe('100%[key] &#9[key] \\u00[key]');
});

test('the keys of the last hundred requests are removed', async () => {
  let count = 0;
  const body = 'key-number-51 key-number-52 key-number-151';
  const { client } = scripted([() => new Response(body, { status: 401 })], { apiKey: () => `key-number-${count}` });
  for (count = 1; count < 151; count += 1) await errorOf(client.execute(workflowId));
  expect((await errorOf(client.execute(workflowId))).body).toBe('key-number-51 [key] [key]');
});

describe('an error of another copy of the package', () => {
  test('is recognized as one', () => {
    const brand = Symbol.for('workflow-execution-contract/WorkflowError');
    const other = Object.assign(Object.create({ [brand]: true }), { kind: 'network' });
    expect(WorkflowError.is(other)).toBe(true);
    expect(other instanceof WorkflowError).toBe(true);
    expect(new Error('no') instanceof WorkflowError).toBe(false);
    class Mine extends WorkflowError {}
    expect(other instanceof Mine).toBe(false);
    expect(new Mine('network', '') instanceof Mine).toBe(true);
  });
});

describe('an answer larger than the limit', () => {
  test('is not read to its end when it is an error either', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(500));
      },
    });
    const { client } = scripted([() => new Response(endless, { status: 404 })], { maxResponseBytes: 1000 });
    await errorOf(client.getExecution(executionId), 'intermediary');
    expect(pulled).toBeLessThan(10);
  });
});
