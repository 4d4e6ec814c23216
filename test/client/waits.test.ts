/** How long the client waits where a parameter of the query says how long the service does. */
import { expect, test, vi } from 'vitest';
import type * as generated from '../../generated/sends.js';
import { freshModules } from '../support/fresh-modules.js';

vi.mock('../../generated/sends.js', async (original) => {
  const { sends } = await original<typeof generated>();
  return { sends: { ...sends, getExecution: { ...sends.getExecution, waits: ['waitSeconds', 0] } } };
});

freshModules();
const { executionId, scripted } = await import('./support.js');

test.each<[string, object, number]>([
  ['as long as always, if it asks for no wait', {}, 30_000],
  ['so much longer', { query: { waitSeconds: 120 } }, 150_000],
  ['so much longer, if the value is a text', { query: { waitSeconds: '120' } }, 150_000],
  ['as long as always, if the value is no number', { query: { waitSeconds: 'long' } }, 30_000],
  ['as its own deadline says', { query: { waitSeconds: 120 }, timeoutMs: 5000 }, 5000],
])('a call has time: %s', async (_, options, ms) => {
  const { client, clock } = scripted([() => new Promise(() => {})]);
  let kind = '';
  client.getExecution(executionId, options).catch((error) => (kind = error.kind));
  await clock.advance(ms - 1);
  expect(kind).toBe('');
  await clock.advance(1);
  expect(kind).toBe('timeout');
});
