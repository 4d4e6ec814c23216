import { expect, it } from 'vitest';
import { faults } from './faults/index.js';
import { sequenceFaults } from './faults/sequences.js';
import { exploredIndependent, kindsThatFind } from './kinds.js';

/** Enough to find these; the measure takes more. */
const requests = 300;

it.each([
  ['no fault', undefined, []],
  [
    'a fault that requests at the same time show',
    'copies-at-the-same-time-share-a-name',
    ['journeys at the same time', 'sequences'],
  ],
  [
    'a fault that journeys and sequences show',
    'update-after-rename-of-a-copy-loses-the-description',
    ['journeys', 'sequences'],
  ],
])('with %s the kinds of testing that find it are told', async (_, id, found) => {
  const fault = sequenceFaults.find((one) => one.id === id);
  expect([...kindsThatFind(await exploredIndependent(fault, 1, requests))]).toEqual(found);
});

it('names no fault twice', () => {
  const ids = [...sequenceFaults, ...Object.values(faults).flat()].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
