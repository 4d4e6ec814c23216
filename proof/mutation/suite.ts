/** The suite as the only test of the reference service: a mutant is found if its check has problems. */
import { expect, test } from 'vitest';

test('a service is conformant whatever its choices, and nothing is in doubt', async () => {
  // Imported here, so that a mutant that cannot even be loaded fails the test.
  const { names, problems } = await import('./trials.js');
  for (const name of names) expect(await problems(name)).toEqual([]);
});
