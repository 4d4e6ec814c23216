/** What the client makes of a contract that says other things of a request than this one. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as generated from '../../generated/sends.js';
import { freshModules } from '../support/fresh-modules.js';

vi.mock('../../generated/sends.js', async (original) => {
  const { sends } = await original<typeof generated>();
  const { essential: _, ...mayBeEmpty } = sends.getExecution;
  return {
    sends: {
      ...sends,
      getExecution: { ...mayBeEmpty, otherIds: { executionId: '^exec_' } },
      listExecutionFiles: {
        ...sends.listExecutionFiles,
        waits: ['waitSeconds', 0],
        bounds: { waitSeconds: { of: 'integer', minimum: 0, maximum: 120 } },
      },
      execute: {
        ...sends.execute,
        otherIds: { workflowId: '^(?!\\.{0,2}$)' },
        mediaType: 'application/merge-patch+json',
      },
    },
  };
});

freshModules();
const { createWorkflowClient } = await import('../../client/index.js');
const { samples } = await import('../../generated/samples.js');
const { executionId, scripted } = await import('./support.js');

const sent: { path: string | undefined; type: string | null }[] = [];
let answer: () => Response;
const client = createWorkflowClient({
  baseUrl: 'https://service.example',
  apiKey: 'key',
  maxRetries: 0,
  fetch: async (url, init) => {
    sent.push({ path: String(url).split('/v2/')[1], type: new Headers(init?.headers).get('content-type') });
    return answer();
  },
});
beforeEach(() => {
  sent.length = 0;
  answer = () => Response.json(samples.StartedExecution.full, { status: 202 });
});

test('an id that is not a UUID is accepted when it matches the pattern of the contract', async () => {
  await client.getExecution('exec_1');
  await client.execute('a/b c');
  expect(sent).toMatchObject([{ path: 'executions/exec_1' }, { path: 'workflows/a%2Fb%20c/execute' }]);
});

test.each([
  ['getExecution', '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813', 'executionId must match ^exec_'],
  // The case of a pattern counts.
  ['getExecution', 'EXEC_1', 'executionId must match ^exec_'],
  ['execute', '..', 'workflowId must match ^(?!'],
  ['execute', '', 'workflowId must match ^(?!'],
] as const)('%s of %j is refused, and no request is sent', async (method, id, why) => {
  await expect(client[method](id)).rejects.toThrow(why);
  expect(sent).toEqual([]);
});

test('a request has the media type of the contract', async () => {
  await client.execute('a');
  expect(sent).toMatchObject([{ type: 'application/merge-patch+json' }]);
});

describe('an operation whose success may be empty', () => {
  test.each([
    ['no content', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('')],
    ['JSON', () => Response.json({ deleted: true })],
    ['text', () => new Response('deleted')],
  ])('succeeds with %s', async (_, given) => {
    answer = given;
    expect(await client.getExecution('exec_1')).toBeUndefined();
  });

  test.each([
    ['malformed-response', () => new Response('\n<!doctype html><title>Sign in</title>')],
    ['not-found', () => Response.json({ code: 404, message: 'No.' }, { status: 404 })],
  ])('fails like every other call: %s', async (kind, given) => {
    answer = given;
    await expect(client.getExecution('exec_1')).rejects.toMatchObject({ kind });
  });
});

test.each<[string, object, number]>([
  ['its usual time if it does not wait on the service', {}, 30_000],
  ['more time for a wait on the service', { query: { waitSeconds: 120 } }, 150_000],
  ['the time of its own deadline', { query: { waitSeconds: 120 }, timeoutMs: 5000 }, 5000],
])('a call has %s', async (_, options, ms) => {
  const { client, clock } = scripted([() => new Promise(() => {})]);
  let kind = '';
  client.listExecutionFiles(executionId, options).catch((error) => (kind = error.kind));
  await clock.advance(ms - 1);
  expect(kind).toBe('');
  await clock.advance(1);
  expect(kind).toBe('timeout');
});

test.each([121, -1, 1.5, '120', 'long'])(
  'a parameter out of its bounds is refused before a request is sent: %j',
  async (waitSeconds) => {
    await expect(client.listExecutionFiles(executionId, { query: { waitSeconds } } as object)).rejects.toThrow(
      'listExecutionFiles: waitSeconds must be a whole number from 0 up to 120. Nothing was sent.',
    );
    expect(sent).toEqual([]);
  },
);
