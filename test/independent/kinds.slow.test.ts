import { expect, it } from 'vitest';
import { faults } from './faults/index.js';
import { sequenceFaults } from './faults/sequences.js';
import { exploredIndependent, kindsThatFind } from './kinds.js';

// As many requests as it takes to find these; the measure takes more.
it.each<[string, string | undefined, number, string[]]>([
  ['no fault', undefined, 150, []],
  [
    'a fault that requests at the same time show',
    'copies-at-the-same-time-share-a-name',
    150,
    ['journeys at the same time', 'sequences'],
  ],
  [
    'a fault that journeys and sequences show',
    'update-after-rename-of-a-copy-loses-the-description',
    300,
    ['journeys', 'sequences'],
  ],
])('with %s the kinds of testing that find it are told', async (_, id, requests, found) => {
  const fault = sequenceFaults.find((one) => one.id === id);
  expect([...kindsThatFind(await exploredIndependent(fault, 1, requests))]).toEqual(found);
});

it('names no fault twice', () => {
  const ids = [...sequenceFaults, ...Object.values(faults).flat()].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
