/** The suite as the only test of the reference service: a mutant of the service is found where a check of it is not clean. */
import { expect, test } from 'vitest';

test('a service is conformant whatever its choices, and nothing is in doubt', async () => {
  // Not before: a mutant with which the service cannot even be loaded is found as well.
  const { names, problems } = await import('./trials.js');
  for (const name of names) expect(await problems(name)).toEqual([]);
});
