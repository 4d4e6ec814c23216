/** Why a caller is not let in: in words that tell it what to send instead, and never with its key. */
import { expect, test } from 'vitest';
import { createReference } from '../../deviations/index.js';
import type { Choices } from '../../reference/choices.js';
import { executionIds, keys, workflowIds } from '../../reference/fixtures.js';

const listing = { path: `/executions/${executionIds.seeded}/files`, method: 'GET' };
const start = { path: `/workflows/${workflowIds.completes}/execute`, method: 'POST', body: '{}' };
const [shown, other] = ['X-Api-Key', 'X-Service-Agents-Api-Key'];

test.each<[string, { path: string; method: string; body?: string }, Record<string, string>, string, Partial<Choices>?]>(
  [
    ['no key', listing, {}, `The API key is missing: listExecutionFiles takes it in the header ${shown}.`],
    ['an empty key', listing, { [shown]: '' }, `The API key in the header ${shown} is invalid.`],
    ['a wrong key', listing, { [shown]: 'wrong' }, `The API key in the header ${shown} is invalid.`],
    [
      'a wrong key in the other header',
      listing,
      { [other]: 'wrong' },
      `The API key is missing: listExecutionFiles takes it in the header ${shown}.`,
    ],
    [
      'a valid key in the other header',
      listing,
      { [other]: keys.full },
      `The API key is in another header: listExecutionFiles takes it in ${shown}.`,
    ],
    [
      'a valid key in the other header, to a start',
      start,
      { [other]: keys.full },
      `The API key is in another header: execute takes it in ${shown}.`,
    ],
    [
      'a valid key as a bearer token',
      start,
      { Authorization: `Bearer ${keys.full}` },
      `The API key is missing: execute takes it in the header ${shown}, not in Authorization.`,
    ],
    [
      'two keys with one wrong, where both must be right',
      listing,
      { [shown]: keys.full, [other]: 'wrong' },
      'One of the two API keys is invalid.',
      { 'key-in-both-headers': 'both' },
    ],
  ],
)('%s is refused with a helpful message', async (_, { path, ...init }, headers, message, choices = {}) => {
  const reference = createReference({ choices: { 'header-names-interchangeable': 'no', ...choices } });
  const response = await reference.fetch(
    new Request(`${reference.fixtures.baseUrl}/agents/v2${path}`, {
      ...init,
      headers: { ...headers, 'Content-Type': 'application/json' },
    }),
  );
  expect([response.status, (await response.json()).message]).toEqual([401, message]);
  await reference.close();
});
