import { expect, test } from 'vitest';
import { madeUpLike, seeded } from '../../../../conformance/engine/send/seeded.js';

test('a made-up id matches its pattern, and differs with each seed', () => {
  const all = [1, 2, 3].map((seed) => madeUpLike('exec_9b2f8a54', '^exec_[a-f0-9]{8}$', seeded(seed)));
  for (const one of all) expect(one).toMatch(/^exec_[a-f0-9]{8}$/);
  expect(new Set([...all, 'exec_9b2f8a54']).size).toBe(4);
});

test('a made-up text keeps blanks and punctuation', () => {
  expect(madeUpLike('Nordwind portal-2', '.', seeded(1))).toMatch(/^[A-Z][a-z]{7} [a-z]{6}-\d$/);
});
