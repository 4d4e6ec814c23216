import { expect, test } from 'vitest';
import { choiceSets, faults, variations } from '../../deviations/index.js';

test('every fault, variant and choice set has an id of its own, by which cases of the proof are found', () => {
  const ids = [...faults.map(({ id }) => id), ...variations.map(({ id }) => id), ...Object.keys(choiceSets)];
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
});
