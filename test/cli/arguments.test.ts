import { expect, test } from 'vitest';
import { duration } from '../../cli/arguments.js';

test.each([
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['1.001s', 1001],
  ['1.5ms', 2],
])('the duration %s is %d whole milliseconds, as timers need it', (text, ms) => {
  expect(duration(text)).toBe(ms);
});
