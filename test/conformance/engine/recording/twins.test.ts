import { expect, test } from 'vitest';
import { DuplicateFilter, EntryReader } from '../../../../conformance/engine/recording/entry.js';
import { entry } from '../../../support/recordings.js';

const at = (turn: number) => entry({ at: new Date(1_770_000_000_001 + turn).toISOString() });

test('a repeated exchange is recognized until many others came', () => {
  const reader = new EntryReader(() => true, new DuplicateFilter(100));
  const kindOf = (turn: number, id: number) => reader.read(at(turn), id).kind;
  for (let turn = 0; turn < 350; turn += 1) {
    expect(kindOf(turn, 2 * turn)).toBe('exchange');
    if (turn >= 10) expect(kindOf(turn - 10, 2 * turn + 1)).toBe('again');
  }
  expect(kindOf(5, 1000)).toBe('exchange');
});
