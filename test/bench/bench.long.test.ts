import { expect, it } from 'vitest';
import { bench as validators } from '../../bench/validators.js';

it('the benchmark of the validators runs, at its smallest', async () => {
  const { rows } = await validators({ quick: true });
  expect(rows.map(([name, ...figures]) => [name, figures.at(-1)])).toEqual([
    ['generated', '0'],
    ['ajv at run time', '0'],
  ]);
});
