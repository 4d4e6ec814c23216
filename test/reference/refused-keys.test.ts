/** Why a caller is not let in: in words that tell it what to send instead, and never with its key. */
import { expect, test } from 'vitest';
import { createReference } from '../../deviations/index.js';
import type { Choices } from '../../reference/choices.js';
import { executionIds, keys, workflowIds } from '../../reference/fixtures.js';

const reading = { path: `/executions/${executionIds.seeded}`, method: 'GET' };
const start = { path: `/workflows/${workflowIds.completes}/execute`, method: 'POST', body: '{}' };
const [own, wide] = ['X-Service-Agents-Api-Key', 'X-Api-Key'];

test.each<[string, { path: string; method: string; body?: string }, Record<string, string>, string, Partial<Choices>?]>(
  [
    ['no key', reading, {}, `The API key is missing: getExecution takes it in the header ${own}.`],
    ['an empty key', reading, { [own]: '' }, `The API key in the header ${own} is invalid.`],
    ['a wrong key', reading, { [own]: 'wrong' }, `The API key in the header ${own} is invalid.`],
    [
      'a wrong key in the other header',
      reading,
      { [wide]: 'wrong' },
      `The API key is missing: getExecution takes it in the header ${own}.`,
    ],
    [
      'a valid key in the other header',
      reading,
      { [wide]: keys.full },
      `The API key is in another header: getExecution takes it in ${own}.`,
    ],
    [
      'a valid key in the other header, to a start',
      start,
      { [own]: keys.full },
      `The API key is in another header: execute takes it in ${wide}.`,
    ],
    [
      'a valid key as a bearer token',
      start,
      { Authorization: `Bearer ${keys.full}` },
      `The API key is missing: execute takes it in the header ${wide}, not in Authorization.`,
    ],
    [
      'two keys of which one is wrong, where both have to be right',
      reading,
      { [own]: keys.full, [wide]: 'wrong' },
      'One of the two API keys is invalid.',
      { 'key-in-both-headers': 'both' },
    ],
  ],
)('%s is refused in words that help', async (_, { path, ...init }, headers, message, choices = {}) => {
  const reference = createReference({ choices: { 'header-names-interchangeable': 'no', ...choices } });
  const response = await reference.fetch(
    new Request(`${reference.target.baseUrl}/agents/v2${path}`, {
      ...init,
      headers: { ...headers, 'Content-Type': 'application/json' },
    }),
  );
  expect([response.status, (await response.json()).message]).toEqual([401, message]);
  await reference.close();
});
