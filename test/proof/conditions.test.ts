import { expect, test } from 'vitest';
import { withConditions } from '../../proof/conditions.js';

test.each([
  ['if (a && !b) c();', 'if ($if(1, a) && !$if(2, b)) c();'],
  ['const d = (a || b) ? c : d;', 'const d = ($if(1, a) || $if(2, b)) ? c : d;'],
  ['const e = all.filter((one) => one.at < now);', 'const e = all.filter((one) => $if(1, one.at < now));'],
  ['return f(g) || names.includes(h);', 'return $if(1, f(g)) || $if(2, names.includes(h));'],
  ['const i: number | undefined = j ?? k;', 'const i: number | undefined = j ?? k;'],
])('%j: each condition is noted, but not what joins conditions', (source, expected) => {
  let count = 0;
  expect(withConditions(source, () => ++count)).toBe(expected);
});
