import { expect, test } from 'vitest';
import { callers, gaps, rules } from '../../../generated/rules.js';

const every = [...rules, ...gaps, ...callers];

test('an id names one thing', () => {
  const ids = every.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

/** Baselines and pins of other people name these ids: a change of meaning wants a look, and an entry in the changelog. */
test('the register means what it meant', async () => {
  const lines = [
    ...[...rules, ...callers].map(({ id, level, says }) => `${id} (${level}): ${says}`),
    ...gaps.map(({ id, asks }) => `${id} (gap): ${asks}`),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('registry.txt');
});
