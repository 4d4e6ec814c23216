/** How long the client waits where a parameter of the query says how long the service does. */
import { expect, test, vi } from 'vitest';
import type * as generated from '../../generated/sends.js';
import { freshModules } from '../support/fresh-modules.js';

vi.mock('../../generated/sends.js', async (original) => {
  const { sends } = await original<typeof generated>();
  return {
    sends: {
      ...sends,
      getExecution: {
        ...sends.getExecution,
        waits: ['waitSeconds', 0],
        bounds: { waitSeconds: { of: 'integer', minimum: 0, maximum: 120 } },
      },
    },
  };
});

freshModules();
const { executionId, scripted } = await import('./support.js');

test.each<[string, object, number]>([
  ['its usual time if it does not wait on the service', {}, 30_000],
  ['more time for a wait on the service', { query: { waitSeconds: 120 } }, 150_000],
  ['the time of its own deadline', { query: { waitSeconds: 120 }, timeoutMs: 5000 }, 5000],
])('a call has %s', async (_, options, ms) => {
  const { client, clock } = scripted([() => new Promise(() => {})]);
  let kind = '';
  client.getExecution(executionId, options).catch((error) => (kind = error.kind));
  await clock.advance(ms - 1);
  expect(kind).toBe('');
  await clock.advance(1);
  expect(kind).toBe('timeout');
});

test.each([121, -1, 1.5, '120', 'long'])(
  'a parameter out of its bounds is refused before a request is sent: %j',
  async (waitSeconds) => {
    const { client, sent } = scripted([]);
    await expect(client.getExecution(executionId, { query: { waitSeconds } } as object)).rejects.toThrow(
      'getExecution: waitSeconds must be a whole number from 0 up to 120. Nothing was sent.',
    );
    expect(sent).toEqual([]);
  },
);
