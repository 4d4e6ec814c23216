import { expect, test } from 'vitest';
import { choiceSets, faults, variations } from '../../deviations/index.js';

test('each way to break the contract or to conform has an id of its own: cases of the proof are found by it', () => {
  const ids = [...faults.map(({ id }) => id), ...variations.map(({ id }) => id), ...Object.keys(choiceSets)];
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
});
