import { expect, it } from 'vitest';
import { faults } from './faults/index.js';
import { sequenceFaults } from './faults/sequences.js';
import { kindsThatFind } from './kinds.js';
import { checkIndependent } from './run.js';

/** Enough to find these; the measure takes more. */
const explored = { requests: 300, budget: { executions: 17, copies: 60 } };

it.each([
  ['no fault', undefined, []],
  [
    'a fault that requests at the same time and sequences show',
    'copies-at-the-same-time-share-a-name',
    ['journeys at the same time', 'sequences'],
  ],
  ['a fault that a journey shows', 'update-after-rename-of-a-copy-loses-the-description', ['journeys']],
])('with %s the kinds of testing that find it are told', async (_, id, found) => {
  const fault = sequenceFaults.find((one) => one.id === id);
  expect([...kindsThatFind(await checkIndependent('a', fault, 1, explored))]).toEqual(found);
});

it('names no fault twice', () => {
  const ids = [...sequenceFaults, ...Object.values(faults).flat()].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
