import { expect, it } from 'vitest';
import { isSealed, seal } from '../../proof/seal.js';

const page = seal('# Proof\n', 'sources');

it.each([
  ['what was sealed, of the same sources', page, 'sources', true],
  ['of other sources', page, 'other sources', false],
  ['another text', page.replace('Proof', 'Prooof'), 'sources', false],
  ['no seal', '# Proof\n', 'sources', false],
])('the seal of a page: %s', (_, text, sources, holds) => {
  expect(isSealed(text, sources)).toBe(holds);
});
