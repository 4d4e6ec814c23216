import { describe, expect, test } from 'vitest';
import { createWorkflowClient, WorkflowError } from '../../client/index.js';
import type { WorkflowClientOptions } from '../../client/options.js';
import { operations } from '../../generated/operations.js';
import { apiKey, execution, executionId, scripted } from './support.js';

const usual = { baseUrl: 'https://api.example.com', apiKey };

describe('invalid options are refused when the client is created:', () => {
  const secret = 'sécret-key';
  test.each<[name: string, options: Record<string, unknown>, named: string]>([
    ['no base URL', { baseUrl: undefined }, 'baseUrl'],
    ['a base URL without a scheme', { baseUrl: 'api.example.com' }, 'baseUrl'],
    ['a base URL of another scheme', { baseUrl: 'ftp://api.example.com' }, 'baseUrl'],
    ['a base URL with a query', { baseUrl: 'https://api.example.com/?a=1' }, 'baseUrl'],
    ['a base URL that ends in a question mark', { baseUrl: 'https://api.example.com/?' }, 'before any ? or #'],
    ['a base URL with the beginning of every path', { baseUrl: 'https://api.example.com/agents/v2/' }, '/agents/v2'],
    ['a base URL with credentials', { baseUrl: `https://me:${apiKey}@api.example.com` }, 'baseUrl'],
    ['no key', { apiKey: undefined }, 'apiKey'],
    ['a key that is a number', { apiKey: 42 }, 'apiKey must be a text, or a function that gives one'],
    ['a key that is a promise', { apiKey: Promise.resolve(apiKey) }, 'apiKey must be a text'],
    ['an empty key', { apiKey: '' }, 'apiKey'],
    ['a key with a line break inside', { apiKey: `${apiKey}\r\nX-Other: 1` }, 'apiKey'],
    ['a key that is not ASCII', { apiKey: secret }, 'apiKey'],
    ['a second key with a line break', { serviceApiKey: `${apiKey}\n` }, 'serviceApiKey'],
    ['a deadline that is not a number', { timeoutMs: Number.NaN }, 'timeoutMs'],
    ['retries under another name', { retry: 4 }, 'retry is not an option; did you mean maxRetries?'],
    ['a negative number of retries', { maxRetries: -1 }, 'maxRetries'],
    ['an unknown validation', { validate: 'requests' }, 'validate'],
    ['a misspelt option', { timeoutMS: 5 }, 'timeoutMS is not an option; did you mean timeoutMs?'],
    ['an option with an inherited name', { toString: 5 }, 'toString is not an option'],
  ])('%s', (_, options, named) => {
    const make = () => createWorkflowClient({ ...usual, ...options } as unknown as WorkflowClientOptions);
    expect(make).toThrow(WorkflowError);
    try {
      make();
    } catch (error) {
      expect(error).toMatchObject({ kind: 'configuration', requestSent: false });
      const { message, stack } = error as WorkflowError;
      expect(message).toContain(named);
      for (const key of [apiKey, secret]) expect(`${message}${stack}`).not.toContain(key);
    }
  });
});

test.each<[name: string, clock: unknown, lacks: string]>([
  ['nothing', null, 'now'],
  ['an invalid clock', { now: Date.now, setTimeout, clearTimeout }, 'timer'],
  ['no random numbers', { now: Date.now, timer: () => () => {} }, 'random'],
])('a clock without one of its functions is refused as well: %s', (_, clock, lacks) => {
  expect(() => createWorkflowClient(usual, clock as never)).toThrow(
    new WorkflowError('configuration', `createWorkflowClient: runtime.${lacks} must be a function.`),
  );
});

test('missing options are refused in the same way', () => {
  const make = createWorkflowClient as unknown as () => void;
  expect(() => make()).toThrow(new WorkflowError('configuration', 'createWorkflowClient: baseUrl is missing.'));
});

describe('the base URL', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com/gateway/v7', 'https://api.example.com/gateway/v7'],
    ['https://api.example.com/gateway//', 'https://api.example.com/gateway'],
    ['HTTPS://API.example.com:443/', 'https://api.example.com'],
    [new URL('http://127.0.0.1:4010'), 'http://127.0.0.1:4010'],
  ])('%s results in %s', async (baseUrl, before) => {
    const { client, sent } = scripted([() => execution('completed')], { baseUrl });
    await client.getExecution(executionId);
    await client.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } });
    expect(sent.map(({ url }) => url)).toEqual(Array(2).fill(`${before}/agents/v2/executions/${executionId}`));
    expect(sent.map(({ headers }) => headers.get(operations.getExecution.keyHeader))).toEqual([apiKey, apiKey]);
  });

  test('may be relative to the page, in a browser', async () => {
    const global = globalThis as { location?: { href: string } };
    global.location = { href: 'https://app.example.com/orders?page=2' };
    try {
      const { client, sent } = scripted([() => execution('completed')], { baseUrl: '/workflows' });
      await client.getExecution(executionId);
      expect(sent[0]?.url).toBe(`https://app.example.com/workflows/agents/v2/executions/${executionId}`);
      // And the key does not go to the page by mistake.
      for (const baseUrl of [undefined, null, ''])
        expect(() => scripted([], { baseUrl: baseUrl as never })).toThrow('baseUrl is missing');
    } finally {
      delete global.location;
    }
  });
});
