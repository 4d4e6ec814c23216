import { expect, test } from 'vitest';
import { DuplicateFilter, EntryReader } from '../../../../conformance/engine/recording/entry.js';
import { entry } from '../../../support/recordings.js';

const at = (turn: number) => entry({ at: new Date(1_770_000_000_001 + turn).toISOString() });

test('a repeated exchange is recognized within a number of items', () => {
  const kinds = (places: readonly number[]) => {
    const reader = new EntryReader(() => true, new DuplicateFilter(100));
    return places.map((place) => reader.read(at(place), place + 1).kind);
  };
  const all = Array.from({ length: 350 }, (_, place) => place);
  expect(new Set(kinds(all))).toEqual(new Set(['exchange']));
  const reader = new EntryReader(() => true, new DuplicateFilter(100));
  for (const place of all) {
    reader.read(at(place), 2 * place);
    // The one of a hundred items ago, and the one before that.
    if (place >= 51) expect(reader.read(at(place - 50), 2 * place).kind).toBe('again');
    if (place >= 51) expect(reader.read(at(place - 51), 2 * place).kind).toBe('exchange');
  }
});
